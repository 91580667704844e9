// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/linkstate.h"
#include "ui/models/trouble.h"
#include "ui/panels/linkbar.h"

#include <QWidget>

#include <optional>

namespace headway::ui {

class OverrideBar;
class TroubleBar;
class TroubleWatch;

// What is said above every place: how the window stands with a proxy elsewhere, what is wrong, and
// what is in force above the settings. Without anything to say it takes no room.
class Banners final : public QWidget
{
    Q_OBJECT

public:
    explicit Banners(QWidget *parent = nullptr);

    void hear(const live::SnapshotPointer &snapshot);
    void setLink(const LinkState &link);
    void setTrouble(const std::optional<Trouble> &trouble);
    void setStopping();

    [[nodiscard]] const LinkBar &link() const { return *m_link; }
    [[nodiscard]] bool isAttached() const { return m_link->isFollowing(); } // to a proxy elsewhere

Q_SIGNALS:
    void linkChanged(); // what link() says may be different
    void freshChanged(bool isFresh); // what is shown is of now; of a proxy of this window only
    void remedyRequested(headway::ui::Trouble::Kind kind);
    void resumeRequested();
    void passThroughEnded();
    void releaseRequested(const QString &session);

private:
    LinkBar *m_link;
    TroubleBar *m_troubles;
    OverrideBar *m_overrides;
    TroubleWatch *m_watch;
};

} // namespace headway::ui
