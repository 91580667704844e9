// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/notifier.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

#include <utility>

namespace headway::ui {

namespace {

struct Notices
{
    Q_DECLARE_TR_FUNCTIONS(Notices)
};

using Kind = Notification::Kind;

QString upstreamTrouble(const live::Snapshot &snapshot)
{
    const std::string &state = snapshot.upstreamState;
    return state == "ok" || state == "untried" || state.empty() ? QString() : text(state);
}

QString ledgerTrouble(const live::Snapshot &snapshot)
{
    const std::string &state = snapshot.ledgerState;
    return state == "ok" || state.empty() ? QString() : text(state);
}

} // namespace

bool Notifier::maySpeak(const Kept &kept, base::WallTime at) const
{
    return !kept.saidAt || at - *kept.saidAt >= coolDown || at < *kept.saidAt;
}

// Trouble that holds: said when it begins, or at the end of the cool-down when it began in it.
void Notifier::state(Kind kind, const QString &trouble, Notification said, base::WallTime at,
                     std::vector<Notification> &out)
{
    Kept &kept = m_kept[kind];
    if (trouble.isEmpty())
        kept.state.clear();
    else if (kept.state != trouble && maySpeak(kept, at)) {
        kept.state = trouble;
        kept.saidAt = at;
        out.push_back(std::move(said));
    }
}

// Things that happen: said with how many there were since the last time.
void Notifier::count(Kind kind, std::uint64_t now, const QString &title, const QString &text,
                     base::WallTime at, std::vector<Notification> &out)
{
    Kept &kept = m_kept[kind];
    if (m_isFirst || now < kept.count)
        kept.count = now;
    if (now == kept.count || !maySpeak(kept, at))
        return;
    out.push_back({kind, title.arg(ui::count(now - kept.count)), text});
    kept.count = now;
    kept.saidAt = at;
}

std::vector<Notification> Notifier::look(const live::Snapshot &snapshot)
{
    std::vector<Notification> out;
    const base::WallTime at = snapshot.at;
    const QString upstream = upstreamTrouble(snapshot);
    state(Kind::Upstream, upstream,
          {Kind::Upstream, Notices::tr("The provider: %1").arg(upstream),
           Notices::tr("New turns wait or fail until it answers again. Headway goes on trying.")},
          at, out);
    const QString ledger = ledgerTrouble(snapshot);
    state(Kind::Ledger, ledger,
          {Kind::Ledger, Notices::tr("The ledger: %1").arg(ledger),
           Notices::tr("Turns are not harmed; records are counted in memory meanwhile.")},
          at, out);
    const bool isDeaf = snapshot.listening.empty();
    state(Kind::NotListening, isDeaf ? QStringLiteral("deaf") : QString(),
          {Kind::NotListening, Notices::tr("Headway is not listening"),
           Notices::tr("Clients cannot reach it. The window says why.")},
          at, out);
    count(Kind::Failed, snapshot.totals.turnsFailed, Notices::tr("Turns that failed: %1"),
          Notices::tr("The ledger tells the reason of each."), at, out);
    count(Kind::Refused, snapshot.totals.turnsRefused,
          Notices::tr("Turns sent back for want of a connection: %1"),
          Notices::tr("The window says why, and what helps."), at, out);
    count(Kind::Rejected, snapshot.totals.rejections,
          Notices::tr("Openings that the provider rejected: %1"),
          Notices::tr("Turns wait and try again. A lower rate or the policy auto helps."), at, out);
    m_isFirst = false;
    return out;
}

} // namespace headway::ui
