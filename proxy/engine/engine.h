// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/core/settings/settings.h"
#include "proxy/engine/upstreamaccess.h"
#include "proxy/net/listener/listener.h"
#include "proxy/net/upstream/endpoint.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::engine {

// How a proxy is put together; made by the composition root.
struct EngineOptions
{
    settings::Settings settings;
    net::Endpoint endpoint;
    std::optional<PlanOptions> plan; // the endpoint takes the ChatGPT plan's sign-in
    credentials::HeaderProfiles headerProfiles; // what models need beside it
    QHostAddress address{QHostAddress::LocalHost};
    quint16 port = 17421;
    std::string accessKey; // empty: model routes ask for none
    std::string controlKey;
    QString ledgerPath;
    QString installKeyPath; // folder of the install key
    QString ceilingPath; // what policy auto has learned; empty: for this run only
    std::optional<net::Endpoint> anthropic; // claude-* models are passed through to it
    std::vector<std::string> allowedHosts;
    std::vector<std::string> models; // "name" or "alias=name" (dialects::ModelTable)
    std::chrono::milliseconds openTimeout{15'000}; // of a dial (protocol notes 6.3)
    bool anyModel = false; // simulated: every model name is answered
    std::vector<std::string> notices; // found while reading the settings
};

// The proxy: composition of core, net and store on the thread it lives on. Snapshots go out,
// commands come in; both may be connected across threads (queued).
class Engine final : public QObject
{
    Q_OBJECT

public:
    explicit Engine(EngineOptions options, QObject *parent = nullptr);
    ~Engine() override;

    // Listens and begins to serve; the port, or why not.
    [[nodiscard]] tl::expected<quint16, std::string> start();

    // With a watcher, a snapshot every 100 ms.
    void setWatched(bool watched);
    [[nodiscard]] live::SnapshotPointer snapshot();

    [[nodiscard]] std::size_t turnsInFlight() const;

    // Records so far, and more of them that go the way of every other: what a load is made of.
    [[nodiscard]] std::uint64_t records() const;
    void addRecords(std::vector<ledger::Record> records);

    // Does now what is due by the clocks. The timers do it in time as long as nobody moves the
    // clocks (net::passTime()).
    void catchUp();

public Q_SLOTS:
    // `value` as text in the setting's own unit; acts at once.
    void changeSetting(const QString &key, const QString &value);
    void reloadSettings(const headway::settings::Settings &settings);
    // Ends what live::HeadRow shows, with reason `user`: idle ones at once, those with a turn in
    // flight when that is over. `head` 0: all of the connection, which then closes. What is gone
    // already is ignored.
    void evictHead(quint64 connection, quint64 head);
    // Spares all heads of the connection from caps, idle limits and shedding, or no longer; the
    // rotation by age still takes them. A spare connection cannot be pinned.
    void pinConnection(quint64 connection, bool pinned);
    // usercommands.h says what they do.
    void setPaused(bool isPaused);
    void holdSession(const QString &session, bool isHeld);
    void setPassThrough(bool isOn);
    void moveToFront(quint64 turn);
    void cancelTurn(quint64 turn);
    // Stops accepting, lets turns end for at most `graceMs`, then ends them honestly.
    void drain(int graceMs);

Q_SIGNALS:
    void snapshotReady(const headway::live::SnapshotPointer &snapshot);
    void settingRefused(const QString &key, const QString &reason);
    void ledgerStateChanged(const QString &state); // "ok", or what is wrong
    void drained();

private:
    void connectAccess();
    void connectLanes();
    void followWatchers();
    void showSnapshot();

    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::engine
