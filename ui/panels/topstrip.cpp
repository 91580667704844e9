// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/topstrip.h"

#include "ui/format/figures.h"
#include "ui/format/policywords.h"
#include "ui/format/quotawords.h"
#include "ui/format/words.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/signlabel.h"
#include "ui/panels/tile.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headway::ui {

namespace {

QFrame *separator(QWidget *parent)
{
    auto *line = new QFrame(parent);
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Sunken);
    return line;
}

struct Flow
{
    std::optional<double> startsPerSecond;
    std::optional<double> reuse;
};

// Starts over the last five complete seconds, reuse over the last minute.
Flow flowOf(const SecondRing &ring, std::int64_t now)
{
    Flow flow;
    double recent = 0;
    double known = 0;
    double continued = 0;
    double all = 0;
    for (std::int64_t second = now - 60; second < now; ++second) {
        const live::SecondStats *s = ring.at(second);
        if (s == nullptr)
            continue;
        const double starts = s->continued + s->laneOrSpare + s->openedAtOnce + s->openedAfterWait;
        continued += s->continued;
        all += starts;
        if (second >= now - 5) {
            recent += starts;
            known += 1;
        }
    }
    if (known > 0)
        flow.startsPerSecond = recent / known;
    if (all > 0)
        flow.reuse = continued / all;
    return flow;
}

} // namespace

TopStrip::TopStrip(QWidget *parent)
    : QWidget(parent)
    , m_listening(new SignLabel(this))
    , m_copy(new QPushButton(tr("Copy setup"), this))
    , m_turnsPerSecond(new Tile(QStringLiteral("tile_turns_per_second"), tr("turns/s"), this))
    , m_inFlight(new Tile(QStringLiteral("tile_in_flight"), tr("in flight"), this))
    , m_waiting(new Tile(QStringLiteral("tile_waiting"), tr("waiting"), this))
    , m_reuse(new Tile(QStringLiteral("tile_reuse"), tr("reuse, 1 min"), this))
    , m_refused(new Tile(QStringLiteral("tile_refused"), tr("refused"), this))
    , m_failed(new Tile(QStringLiteral("tile_failed"), tr("failed"), this))
    , m_upstreamState(new SignLabel(this))
    , m_upstreamName(new ElidedLabel(this))
{
    m_waiting->setToolTip(
        tr("Turns that have no connection yet: in the queue, backing off, or held "
           "back"));
    m_refused->setToolTip(tr("Turns that Headway sent back because no new connection may be "
                             "opened in time; their clients are told when to come back"));
    m_failed->setToolTip(tr("Turns that ended with an error; Ledger tells the reason of each"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    layout->setSpacing(8);
    layout->addWidget(buildAddress());
    layout->addSpacing(12);
    for (Tile *tile : {m_turnsPerSecond, m_inFlight, m_waiting, m_reuse, m_refused, m_failed}) {
        layout->addWidget(separator(this));
        layout->addWidget(tile);
    }
    layout->addWidget(separator(this));
    layout->addSpacing(8);
    layout->addWidget(buildUpstream(), 1);
}

QWidget *TopStrip::buildAddress()
{
    auto *box = new QWidget(this);
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    m_listening->setObjectName(QStringLiteral("listening"));
    m_copy->setObjectName(QStringLiteral("copy_setup"));
    m_copy->setAccessibleName(tr("Copy the environment lines for Claude Code"));
    m_copy->setToolTip(tr("Copies the lines that point Claude Code at this proxy"));
    m_copy->setEnabled(false);
    connect(m_copy, &QPushButton::clicked, this, &TopStrip::copyRequested);
    layout->addWidget(m_listening);
    layout->addWidget(m_copy);
    return box;
}

QWidget *TopStrip::buildUpstream()
{
    auto *box = new QWidget(this);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 2, 0, 2);
    layout->setSpacing(0);
    m_upstreamState->setObjectName(QStringLiteral("upstream_state"));
    layout->addWidget(m_upstreamState);
    layout->addWidget(m_upstreamName);
    return box;
}

void TopStrip::apply(const live::Snapshot &snapshot, const SecondRing &ring)
{
    showAddress(snapshot);
    showUpstream(snapshot);
    const auto now = std::chrono::floor<base::Seconds>(snapshot.at).time_since_epoch().count();
    const Flow flow = flowOf(ring, now);
    m_turnsPerSecond->setValue(perSecond(flow.startsPerSecond));
    m_inFlight->setValue(count(snapshot.turns.size()));
    const auto waiting = static_cast<std::uint64_t>(
        std::ranges::count_if(snapshot.turns, waitsToRun, &live::TurnRow::phase));
    const bool waits = waiting > 0;
    m_waiting->setValue(count(waiting), waits ? std::optional(Meaning::Waiting) : std::nullopt);
    m_reuse->setValue(percent(flow.reuse));
    const bool refused = snapshot.totals.turnsRefused > 0;
    m_refused->setValue(count(snapshot.totals.turnsRefused),
                        refused ? std::optional(Meaning::Limit) : std::nullopt);
    const bool failed = snapshot.totals.turnsFailed > 0;
    m_failed->setValue(count(snapshot.totals.turnsFailed),
                       failed ? std::optional(Meaning::Failed) : std::nullopt);
}

void TopStrip::showAddress(const live::Snapshot &snapshot)
{
    m_copy->setEnabled(!snapshot.listening.empty());
    if (snapshot.listening.empty())
        m_listening->setWord({Meaning::Failed, sign(Meaning::Failed).glyph, tr("Not listening")});
    else
        m_listening->setWord(
            {Meaning::Active, u'●', tr("Listening on %1").arg(text(snapshot.listening))});
}

void TopStrip::showUpstream(const live::Snapshot &snapshot)
{
    Word word = upstreamWord(snapshot.upstreamState);
    word.text = tr("Upstream %1").arg(word.text);
    m_upstreamState->setWord(word);
    QString about = text(snapshot.upstream);
    const bool learns
        = snapshot.policy == "auto" && snapshot.estimate.shape != pacing::CeilingShape::Unknown;
    if (learns)
        about = tr("%1 · Estimate: %2 (%3)", "upstream · estimate")
                    .arg(about, estimateWords(snapshot.estimate),
                         confidenceWords(snapshot.estimate.confidence));
    // The one that is used up first; all of them stand in Live.
    const auto fullest
        = std::ranges::max_element(snapshot.quota, {}, &pacing::QuotaWindow::usedPercent);
    if (fullest != snapshot.quota.end())
        about = tr("%1 · %2 %3", "upstream · quota, how it stands")
                    .arg(about, quotaName(*fullest), quotaWords(*fullest, snapshot.at));
    m_upstreamName->setText(about);
}

} // namespace headway::ui
