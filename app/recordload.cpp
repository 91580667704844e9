// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recordload.h"

#include "proxy/engine/engine.h"
#include "proxy/net/clock.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace headway::app {

namespace {

using namespace std::chrono_literals;

constexpr auto every = 20ms;

ledger::Record record(std::uint64_t number, base::WallTime at)
{
    ledger::Retry retry;
    retry.attempt = 1 + number % 5;
    retry.cause = number % 3 == 0 ? "rejected" : "closed before output";
    retry.action = number % 3 == 0 ? "backoff" : "new_socket_full";
    retry.delayMs = static_cast<double>(number % 4'000);
    return {at, {}, "load", "agent " + std::to_string(number % 40), std::move(retry)};
}

} // namespace

RecordLoad::RecordLoad(engine::Engine &engine, int perSecond, QObject *parent)
    : QObject(parent)
    , m_engine(engine)
    , m_perSecond(perSecond)
{
    m_clock.start();
    connect(&m_timer, &QTimer::timeout, this, &RecordLoad::topUp);
    m_timer.start(every);
}

void RecordLoad::topUp()
{
    const double due = m_perSecond * static_cast<double>(m_clock.elapsed()) / 1'000;
    const std::uint64_t have = m_engine.records();
    if (due <= static_cast<double>(have))
        return;
    const base::WallTime at = net::readClock().wall;
    std::vector<ledger::Record> records(static_cast<std::size_t>(due) - have);
    for (ledger::Record &each : records)
        each = record(m_made++, at);
    m_engine.addRecords(std::move(records));
}

} // namespace headway::app
