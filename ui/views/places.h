// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/secondring.h"

#include <QTabWidget>

#include <cstdint>

namespace headway::ui {

class HeadsView;
class LedgerView;
class LiveView;
class SetupView;
class WhatIfView;

// The five places of the window, and what each of them does with a key that all of them share.
class Places final : public QTabWidget
{
    Q_OBJECT

public:
    enum class View : std::uint8_t { Live, Heads, Ledger, WhatIf, Setup };

    explicit Places(const SecondRing &ring, QWidget *parent = nullptr); // the ring outlives it

    void apply(const live::SnapshotPointer &snapshot);

    // A place's height does not follow from its width: each scrolls. The layout around would ask
    // all five, shown or not, whenever a figure anywhere changes its size.
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }

    void showView(View view);
    // "live", "heads", "ledger", "what-if", "setup"; false: no such view.
    bool showView(const QString &name);
    [[nodiscard]] View currentView() const;

    void togglePause(); // a focused button's own meaning of Space comes first
    void focusFilter();

    [[nodiscard]] LiveView *live() const { return m_live; }
    [[nodiscard]] HeadsView *heads() const { return m_heads; }
    [[nodiscard]] LedgerView *ledger() const { return m_ledger; }
    [[nodiscard]] WhatIfView *whatIf() const { return m_whatIf; }
    [[nodiscard]] SetupView *setup() const { return m_setup; }

private:
    LiveView *m_live;
    HeadsView *m_heads;
    LedgerView *m_ledger;
    WhatIfView *m_whatIf;
    SetupView *m_setup;
};

} // namespace headway::ui
