// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/places.h"

#include "ui/views/headsview.h"
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/setupview.h"
#include "ui/views/turnspanel.h"
#include "ui/views/whatifview.h"

#include <QAbstractButton>
#include <QApplication>
#include <QTabBar>

namespace headway::ui {

Places::Places(const SecondRing &ring, QWidget *parent)
    : QTabWidget(parent)
    , m_live(new LiveView(ring, this))
    , m_heads(new HeadsView(this))
    , m_ledger(new LedgerView(this))
    , m_whatIf(new WhatIfView(this))
    , m_setup(new SetupView(this))
{
    setDocumentMode(true);
    setObjectName(QStringLiteral("pages"));
    setAccessibleName(tr("Places"));
    tabBar()->setAccessibleName(tr("Places"));
    addTab(m_live, tr("Live"));
    addTab(m_heads, tr("Heads"));
    addTab(m_ledger, tr("Ledger"));
    addTab(m_whatIf, tr("What-if"));
    addTab(m_setup, tr("Setup"));
    connect(m_live, &LiveView::pausedChanged, m_ledger, &LedgerView::setPaused);
}

void Places::apply(const live::SnapshotPointer &snapshot)
{
    m_live->apply(snapshot);
    m_heads->apply(snapshot);
    m_ledger->apply(snapshot);
    m_setup->apply(*snapshot);
}

void Places::showView(View view)
{
    setCurrentIndex(static_cast<int>(view));
}

bool Places::showView(const QString &name)
{
    const QStringList names{QStringLiteral("live"), QStringLiteral("heads"),
                            QStringLiteral("ledger"), QStringLiteral("what-if"),
                            QStringLiteral("setup")};
    const qsizetype index = names.indexOf(name.toLower());
    if (index < 0)
        return false;
    setCurrentIndex(static_cast<int>(index));
    return true;
}

Places::View Places::currentView() const
{
    return static_cast<View>(currentIndex());
}

void Places::togglePause()
{
    // A shortcut comes before the key reaches a button; the button's own meaning wins.
    if (auto *button = qobject_cast<QAbstractButton *>(QApplication::focusWidget()))
        button->click();
    else
        m_live->setPaused(!m_live->isPaused());
}

void Places::focusFilter()
{
    if (currentView() == View::Heads)
        m_heads->focusFilter();
    else if (currentView() == View::Ledger)
        m_ledger->focusFilter();
    else if (currentView() == View::Live)
        m_live->turns()->focusFilter();
}

} // namespace headway::ui
