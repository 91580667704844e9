// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/responder.h"

#include <algorithm>
#include <utility>

namespace headway::simulator {

namespace {

constexpr qint64 maxUnsent = 1 << 20;
constexpr int slowPeerPause = 5; // ms

} // namespace

Responder::Responder(EventScript script, Pace pace, QTcpSocket *socket, QObject *parent)
    : QObject(parent)
    , m_script(std::move(script))
    , m_pace(pace)
    , m_socket(socket)
    , m_end(m_script.events.size())
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Responder::play);
}

void Responder::start()
{
    m_clock.start();
    m_timer.start(0);
}

qint64 Responder::dueAt(std::size_t event) const
{
    if (event < m_script.firstOutput)
        return 0;
    const qint64 first = m_pace.firstToken.count();
    const qint64 rest = std::max<qint64>(0, m_pace.total.count() - first);
    const auto steps = static_cast<qint64>(m_script.events.size() - m_script.firstOutput) - 1;
    const auto step = static_cast<qint64>(event - m_script.firstOutput);
    return steps <= 0 ? first : first + rest * step / steps;
}

void Responder::play()
{
    while (m_next < m_end) {
        if (m_socket && m_socket->bytesToWrite() > maxUnsent)
            return m_timer.start(slowPeerPause);
        const qint64 wait = dueAt(m_next) - m_clock.elapsed();
        if (wait > 0)
            return m_timer.start(static_cast<int>(wait));
        Q_EMIT eventDue(m_script.events[m_next++]);
    }
    if (m_next == m_script.events.size())
        Q_EMIT finished();
    else
        Q_EMIT stopped();
}

} // namespace headway::simulator
