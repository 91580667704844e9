// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/trouble.h"

#include <QFrame>

#include <vector>

class QVBoxLayout;

namespace headway::ui {

class TroubleLine;

// What is wrong, one paragraph each with the way out as a button; takes no room while all is well.
class TroubleBar final : public QFrame
{
    Q_OBJECT

public:
    explicit TroubleBar(QWidget *parent = nullptr);

    // The gravest first. The same ones again cost nothing.
    void setTroubles(const std::vector<Trouble> &troubles);
    [[nodiscard]] const std::vector<Trouble> &troubles() const { return m_shown; }

Q_SIGNALS:
    void remedyRequested(headway::ui::Trouble::Kind kind);

protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();
    void addLine(const Trouble &trouble);

    QVBoxLayout *m_layout;
    std::vector<TroubleLine *> m_lines;
    std::vector<Trouble> m_shown;
};

} // namespace headway::ui
