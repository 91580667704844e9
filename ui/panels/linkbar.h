// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/linkstate.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

#include <optional>

class QLabel;

namespace headway::ui {

// Says in every place of the window that what it shows is not of now, and why. While news comes it
// is not there.
class LinkBar final : public QFrame
{
    Q_OBJECT

public:
    explicit LinkBar(QWidget *parent = nullptr);

    void setLink(const LinkState &link); // the first one makes it watch for news
    void heard(const live::Snapshot &snapshot);

    [[nodiscard]] bool isFollowing() const { return m_link.has_value(); }
    [[nodiscard]] bool isConnected() const; // commands arrive
    [[nodiscard]] bool isFresh() const; // and news came a moment ago
    [[nodiscard]] QString address() const { return m_link ? m_link->address : QString(); }
    [[nodiscard]] QString text() const; // empty: nothing to say

    static constexpr qint64 staleMs = 2'000; // without news: it says so

Q_SIGNALS:
    void changed(); // isConnected() or isFresh() may have

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void color();
    [[nodiscard]] QString shownSince() const;

    std::optional<LinkState> m_link;
    QElapsedTimer m_since; // the last news; invalid: none yet
    QElapsedTimer m_waiting; // since the last change of the link
    base::WallTime m_at; // of the last news, as the proxy says
    QTimer m_tick;
    QLabel *m_label;
};

} // namespace headway::ui
