// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/troublewatch.h"

#include "ui/format/figures.h"

#include <utility>

namespace headway::ui {

namespace {

constexpr int lookEveryMs = 500;

} // namespace

TroubleWatch::TroubleWatch(qint64 silentAfterMs, QObject *parent)
    : QObject(parent)
    , m_silentAfterMs(silentAfterMs)
{
    connect(&m_silence, &QTimer::timeout, this, &TroubleWatch::look);
    m_silence.setInterval(lookEveryMs);
}

void TroubleWatch::setStanding(const std::optional<Trouble> &trouble)
{
    m_standing = trouble;
    look();
}

void TroubleWatch::setStopping()
{
    m_isStopping = true;
    look();
}

void TroubleWatch::hear(const live::SnapshotPointer &snapshot)
{
    m_newest = snapshot;
    m_stall.hear(*snapshot);
    m_heard.start();
    if (!m_silence.isActive() && !m_isElsewhere)
        m_silence.start();
    look();
}

bool TroubleWatch::isSilent() const
{
    const bool hasProxy = !m_isElsewhere && !(m_standing && m_standing->isWithoutProxy());
    return hasProxy && m_silence.isActive() && m_heard.hasExpired(m_silentAfterMs);
}

void TroubleWatch::look()
{
    std::vector<Trouble> all;
    if (m_isStopping)
        all.push_back(stopping());
    if (m_standing)
        all.push_back(*m_standing);
    const bool isSilentNow = isSilent();
    if (isSilentNow)
        all.push_back(silent(duration(base::Milliseconds(m_heard.elapsed() / 1'000 * 1'000))));
    const Where where = m_isElsewhere ? Where::Elsewhere : Where::Here;
    if (m_newest && !isSilentNow)
        for (Trouble &each : troublesIn(*m_newest, m_stall.trouble(), where))
            all.push_back(std::move(each));
    Q_EMIT changed(all);
}

} // namespace headway::ui
