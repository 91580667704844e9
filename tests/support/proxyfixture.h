// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/engine/engine.h"
#include "proxy/simulator/provider.h"
#include "tests/support/httpcall.h"
#include "tests/support/wirelog.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QUrl>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headway::tests {

// A whole proxy in this process, on real sockets: a simulated provider, the engine, a ledger in a
// temporary folder. Settings may be changed before start(); lanes are off unless set.
class ProxyFixture final
{
public:
    explicit ProxyFixture(simulator::Scenario scenario);
    explicit ProxyFixture(const QUrl &upstream); // a provider of the test's own
    ~ProxyFixture();

    settings::Settings settings; // until start()
    void set(settings::Key key, std::string_view value); // as if it stood in the file
    std::string accessKey;
    std::optional<net::Endpoint> endpoint; // in place of the simulated provider's own door
    std::optional<engine::PlanOptions> plan;
    std::optional<net::Endpoint> anthropic;
    credentials::HeaderProfiles headerProfiles;
    std::vector<std::string> models; // the table; empty: any name
    std::chrono::milliseconds openTimeout{15'000}; // of a dial
    bool anyModel = true; // … claude-* included

    void start();
    void stop(); // the proxy; the ledger's file is complete afterwards

    [[nodiscard]] simulator::Provider &provider() { return *m_provider; }
    [[nodiscard]] const WireLog &wire() const { return *m_wire; } // from the first byte on
    [[nodiscard]] engine::Engine &engine() { return *m_engine; }
    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] quint16 providerPort() const { return quint16(m_upstream.port()); }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] QString ledgerPath() const;
    // The oldest turn in flight as the window shows it; a blank row when there is none.
    [[nodiscard]] live::TurnRow turn() const;

    // For the proxy so much time goes by at once; what is due happens before it returns. Asleep:
    // the machine was suspended meanwhile, so only the wall clock went on.
    void passTime(std::chrono::milliseconds time);
    void passTimeAsleep(std::chrono::milliseconds time);
    // The same for a turn in flight while the provider answers every ping, in steps of 15 s. False:
    // a connection went meanwhile.
    [[nodiscard]] bool passTimeAlive(std::chrono::seconds time);

    // POST /v1/messages as Claude Code's session and agent.
    [[nodiscard]] std::unique_ptr<HttpCall> post(const QByteArray &path, const QByteArray &body,
                                                 const QByteArray &session = {},
                                                 const QByteArray &agent = {}) const;

private:
    void setDefaults();

    QTemporaryDir m_folder;
    std::unique_ptr<simulator::Provider> m_provider;
    std::unique_ptr<WireLog> m_wire;
    std::unique_ptr<engine::Engine> m_engine;
    QUrl m_upstream;
    quint16 m_port = 0;
};

// A Messages body: the texts alternate user, assistant, user …
[[nodiscard]] QByteArray messagesBody(const QList<QByteArray> &texts, bool stream = true);

} // namespace headway::tests
