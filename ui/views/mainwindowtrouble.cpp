// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says when something is wrong, and the ways out.
#include "ui/format/figures.h"
#include "ui/models/trouble.h"
#include "ui/panels/linkbar.h"
#include "ui/panels/topstrip.h"
#include "ui/panels/troublebar.h"
#include "ui/views/mainwindow.h"

#include <utility>

namespace headway::ui {

namespace {

constexpr int lookEveryMs = 500;

} // namespace

void MainWindow::connectTroubles()
{
    connect(m_troubles, &TroubleBar::remedyRequested, this, [this](Trouble::Kind kind) {
        using Kind = Trouble::Kind;
        if (kind == Kind::NoUpstream || kind == Kind::CredentialMissing
            || kind == Kind::CredentialRejected)
            showView(View::Setup);
        else
            Q_EMIT remedyRequested(kind);
    });
    connect(&m_silence, &QTimer::timeout, this, &MainWindow::followTroubles);
    m_silence.setInterval(lookEveryMs);
}

void MainWindow::setTrouble(const std::optional<Trouble> &trouble)
{
    m_standing = trouble;
    followTroubles();
}

// A window on a proxy elsewhere says by its link bar that no news comes.
bool MainWindow::isProxySilent() const
{
    const bool hasProxy = !isAttached() && !(m_standing && m_standing->isWithoutProxy());
    return hasProxy && m_silence.isActive() && m_heard.hasExpired(LinkBar::staleMs);
}

void MainWindow::heard()
{
    m_heard.start();
    if (!m_silence.isActive() && !isAttached())
        m_silence.start();
}

void MainWindow::followTroubles()
{
    std::vector<Trouble> all;
    if (m_isQuitting)
        all.push_back(stopping());
    if (m_standing)
        all.push_back(*m_standing);
    const bool isSilent = isProxySilent();
    if (isSilent)
        all.push_back(silent(duration(base::Milliseconds(m_heard.elapsed() / 1'000 * 1'000))));
    if (!isAttached())
        m_strip->setEnabled(!isSilent); // old figures are greyed
    if (m_newest && !isSilent)
        for (Trouble &each : troublesIn(*m_newest))
            all.push_back(std::move(each));
    m_troubles->setTroubles(all);
}

} // namespace headway::ui
