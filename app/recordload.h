// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>

namespace headway::engine {
class Engine;
}

namespace headway::app {

// Tops the ledger up to so many records a second with `retry` records that belong to no turn: they
// go the way of every record, and no sum that the ledger is checked by counts them. Lives on the
// engine's thread.
class RecordLoad final : public QObject
{
public:
    RecordLoad(engine::Engine &engine, int perSecond, QObject *parent);

private:
    void topUp();

    engine::Engine &m_engine;
    double m_perSecond;
    std::uint64_t m_made = 0;
    QElapsedTimer m_clock;
    QTimer m_timer;
};

} // namespace headway::app
