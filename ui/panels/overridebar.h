// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QFrame>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace headway::ui {

// What a person has put above the settings, loudly and in every place of the window, each with the
// way back beside it. Nothing in force: it is not there.
class OverrideBar final : public QFrame
{
    Q_OBJECT

public:
    explicit OverrideBar(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);

Q_SIGNALS:
    void resumeRequested();
    void passThroughEnded();
    void releaseRequested(const QString &session);

protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();
    void addLine(const QString &words, const QString &name, const QString &button,
                 std::function<void()> back);
    void color();

    live::Overrides m_shown;
    std::vector<QWidget *> m_lines;
    QVBoxLayout *m_layout;
};

} // namespace headway::ui
