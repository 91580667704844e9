// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/scenario.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <tl/expected.hpp>

namespace headway::app {

// The simulated provider on a thread of its own, on a free loopback port: the proxy meets it over
// real sockets, as it meets the real one.
class SimulatedProvider final
{
public:
    // Listens before it returns; the message says why it cannot.
    [[nodiscard]] static tl::expected<std::unique_ptr<SimulatedProvider>, QString>
    start(simulator::Scenario scenario);

    ~SimulatedProvider();
    SimulatedProvider(const SimulatedProvider &) = delete;
    SimulatedProvider &operator=(const SimulatedProvider &) = delete;

    [[nodiscard]] QString url() const; // ws://127.0.0.1:PORT/v1/responses

private:
    SimulatedProvider();

    QThread m_thread;
    QObject *m_context; // lives on the thread; owns the provider
    quint16 m_port = 0;
};

// The scenario in a file, or the default one for an empty name. `lanes`: it has lanes, whatever it
// says itself.
[[nodiscard]] tl::expected<simulator::Scenario, QString> readScenario(const QString &file,
                                                                      bool lanes);

class CommandLine;

// --lanes, of every call that has a simulated provider.
void addLanesOption(CommandLine &line);

} // namespace headway::app
