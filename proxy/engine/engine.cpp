// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/engine.h"

#include "proxy/engine/enginestate.h"
#include "proxy/net/clock.h"

#include <QCoreApplication>

#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;

constexpr auto tickEvery = 1s;
constexpr auto snapshotEvery = 100ms;
constexpr auto ledgerEvery = 100ms;
constexpr std::string_view window = "window"; // who asks, as it stands in the ledger

} // namespace

Engine::Engine(EngineOptions options, QObject *parent)
    : QObject(parent)
    , m_state(std::make_unique<State>(std::move(options)))
{
    State &s = *m_state;
    connect(&s.listener, &net::Listener::requested, &s.doors, &Doors::requested);
    connect(&s.listener, &net::Listener::upgraded, &s.doors, &Doors::upgraded);
    connect(&s.listener, &net::Listener::upgradeRefused, &s.doors, &Doors::upgradeRefused);
    connect(&s.connections, &Connections::levelChanged, this, [&s] {
        s.pacer->socketsChanged(s.connections.level(), net::readClock());
        s.turns.pacerMoved();
    });
    const auto recorded = [&s](base::TurnId turn, ledger::Connection record) {
        record.reason = s.services.redact(record.reason); // a provider may quote what it was sent
        record.detail = s.services.redact(record.detail);
        s.recorder.add(turn, {}, {}, std::move(record), net::readClock().wall);
    };
    const auto answered = [&s](const net::UpgradeReply &reply) { s.answered(reply); };
    connect(&s.connections, &Connections::recorded, this, recorded);
    connect(&s.https, &HttpsCalls::recorded, this, recorded);
    connect(&s.connections, &Connections::answered, this, answered);
    connect(&s.connections, &Connections::answered, this, [&s] { s.transport.answered(); });
    connect(&s.connections, &Connections::unanswered, this, [&s] { s.transport.unanswered(); });
    connect(&s.https, &HttpsCalls::answered, this, answered);
    s.services.transportChanged = [&s] { s.noteNotices(); };
    connectAccess();
    connectLanes();
    connect(&s.ledger, &store::LedgerStore::stateChanged, this, [this, &s](const QString &state) {
        s.ledgerState = state.toStdString();
        Q_EMIT ledgerStateChanged(state);
    });
    const auto emptied = [this, &s] {
        if (s.grace.isActive() && turnsInFlight() == 0) {
            s.grace.stop();
            Q_EMIT drained();
        }
    };
    connect(&s.turns, &Turns::emptied, this, emptied);
    connect(&s.doors, &Doors::relayEnded, this, emptied);
    connect(&s.tick, &QTimer::timeout, this, [&s] { s.everySecond(net::readClock()); });
    connect(&s.snapshotTimer, &QTimer::timeout, this, &Engine::showSnapshot);
    connect(&s.feed, &Feed::readersChanged, this, &Engine::followWatchers);
    connect(&s.ledgerTimer, &QTimer::timeout, this, [&s] { s.flushLedger(); });
    s.limitTimer.setSingleShot(true); // after whoever is told the outcome has told the pacer
    connect(&s.limitTimer, &QTimer::timeout, this, [&s] { s.lookAtLimits(net::readClock()); });
    s.grace.setSingleShot(true);
    connect(&s.grace, &QTimer::timeout, this, [this, &s] {
        dialects::TurnError error;
        error.kind = dialects::ErrorKind::Unavailable;
        error.message = "Headway was stopped before this turn was complete. Send it again.";
        error.retryAfter = 5s;
        s.turns.abandonAll(error, net::readClock());
        s.doors.abandonRelays();
        Q_EMIT drained();
    });
}

void Engine::connectAccess()
{
    State &s = *m_state;
    connect(&s.access, &UpstreamAccess::secretLearned, this,
            [&s](const std::string &secret) { s.services.redact.add(secret); });
    connect(&s.access, &UpstreamAccess::credentialChanged, this,
            [&s](base::Fingerprint credential, const std::string &account) {
                s.services.credential = credential;
                s.services.account = account;
                s.connections.credentialChanged();
                s.https.credentialChanged();
            });
    connect(&s.access, &UpstreamAccess::signInChanged, this, [&s] { s.noteNotices(); });
    connect(&s.access, &UpstreamAccess::noticed, this,
            [&s](const std::string & /*key*/, const std::string &text) {
                s.options.notices.push_back(text);
                s.noteNotices();
            });
    const auto rejected = [&s](base::Fingerprint credential) {
        s.services.closeEvicted(s.pool.rejectCredential(credential), net::readClock());
    };
    connect(&s.connections, &Connections::credentialRejected, this, rejected);
    connect(&s.https, &HttpsCalls::credentialRejected, this, rejected);
}

void Engine::connectLanes()
{
    State &s = *m_state;
    connect(&s.connections, &Connections::lost, this,
            [&s](base::ConnectionId id, heads::EvictionReason reason) {
                s.services.closeEvicted(s.pool.retire(id, reason), net::readClock());
            });
    connect(&s.connections, &Connections::laneEchoed, this, [&s](base::ConnectionId id) {
        s.pool.laneEchoed(id);
        s.turns.probeAnswered();
    });
    connect(&s.connections, &Connections::laneRefused, this, [&s](base::ConnectionId id) {
        s.pool.laneRefused(id);
        s.turns.probeAnswered();
    });
    connect(&s.connections, &Connections::laneDrained, this,
            [&s](base::ConnectionId id, const std::string &lane) {
                s.pool.drained(id, lane);
                s.services.roomMade();
            });
    connect(&s.connections, &Connections::drainFailed, this,
            [&s](base::ConnectionId id, const std::string &lane) {
                s.pool.drainFailed(id, lane);
                s.services.roomMade();
            });
}

Engine::~Engine()
{
    State &s = *m_state;
    const base::Now now = net::readClock();
    dialects::TurnError error;
    error.kind = dialects::ErrorKind::Unavailable;
    error.message = "Headway was stopped before this turn was complete. Send it again.";
    s.turns.abandonAll(error, now);
    s.doors.abandonRelays();
    s.connections.closeAll("stopped", now);
    s.https.closeAll("stopped", now);
    s.record(ledger::Process{"stopped", HEADWAY_VERSION,
                             static_cast<std::uint64_t>(QCoreApplication::applicationPid())});
    s.flushLedger();
    s.ceiling.keep(*s.pacer, now, true);
    s.ledger.stop();
}

tl::expected<quint16, std::string> Engine::start()
{
    State &s = *m_state;
    const auto port = s.listener.listen();
    if (!port)
        return tl::unexpected(port.error());
    const QHostAddress &address = s.options.address;
    const QString host = address.protocol() == QAbstractSocket::IPv6Protocol
        ? QLatin1Char('[') % address.toString() % QLatin1Char(']')
        : address.toString();
    s.listening = QString(host % QLatin1Char(':') % QString::number(*port)).toStdString();
    s.ledger.start();
    s.record(ledger::Process{"started", HEADWAY_VERSION,
                             static_cast<std::uint64_t>(QCoreApplication::applicationPid())});
    s.ceiling.recall(*s.pacer, net::readClock());
    s.applySettings(net::readClock());
    s.learnAccount();
    s.tick.start(tickEvery);
    s.ledgerTimer.start(ledgerEvery);
    return *port;
}

void Engine::setWatched(bool watched)
{
    m_state->isWatched = watched;
    followWatchers();
}

// The window and the feed share the snapshots: what one took the other would miss.
void Engine::followWatchers()
{
    State &s = *m_state;
    const bool isWanted = s.isWatched || s.feed.hasReaders();
    s.recorder.setWatched(isWanted);
    if (!isWanted)
        s.snapshotTimer.stop();
    else if (!s.snapshotTimer.isActive())
        s.snapshotTimer.start(snapshotEvery);
}

live::SnapshotPointer Engine::snapshot()
{
    State &s = *m_state;
    live::SnapshotPointer snapshot = s.snapshots.build(s.facts(), net::readClock());
    s.feed.take(snapshot);
    return snapshot;
}

void Engine::showSnapshot()
{
    const live::SnapshotPointer newest = snapshot();
    if (m_state->isWatched)
        Q_EMIT snapshotReady(newest);
    m_state->feed.send(net::readClock().steady);
}

std::size_t Engine::turnsInFlight() const
{
    return m_state->turns.size() + m_state->doors.relays();
}

std::uint64_t Engine::records() const
{
    return m_state->recorder.totals().records;
}

void Engine::addRecords(std::vector<ledger::Record> records)
{
    for (ledger::Record &each : records)
        m_state->recorder.add(each.turn, std::move(each.session), std::move(each.agent),
                              std::move(each.body), each.at);
}

void Engine::catchUp()
{
    m_state->everySecond(net::readClock());
    m_state->turns.pacerChanged();
}

void Engine::changeSetting(const QString &key, const QString &value)
{
    if (const auto reason = m_state->changeSetting(window, key.toStdString(), value.toStdString()))
        Q_EMIT settingRefused(key, QString::fromStdString(*reason));
}

void Engine::reloadSettings(const settings::Settings &fresh)
{
    State &s = *m_state;
    const settings::Settings before = std::exchange(s.options.settings, fresh);
    for (const settings::Row &row : settings::table()) {
        // What was changed in the window acts until exit.
        if (before.source(row.key) == settings::Source::Window)
            (void)s.options.settings.set(settings::Source::Window, row.key, before.text(row.key));
        if (!row.atRuntime || row.kind == settings::Kind::Secret)
            continue;
        const std::string &now = s.options.settings.text(row.key);
        if (before.text(row.key) != now)
            s.record(
                ledger::SettingsChanged{"file", std::string(row.name), before.text(row.key), now});
    }
    s.applySettings(net::readClock());
}

void Engine::evictHead(quint64 connection, quint64 head)
{
    m_state->evictHead(base::ConnectionId{connection}, heads::HeadId{head});
}

void Engine::pinConnection(quint64 connection, bool pinned)
{
    m_state->pool.pinConnection(base::ConnectionId{connection}, pinned);
}

void Engine::setPaused(bool isPaused)
{
    m_state->commands.setPaused(isPaused, window);
}

void Engine::holdSession(const QString &session, bool isHeld)
{
    m_state->commands.holdSession(session.toStdString(), isHeld, window);
}

void Engine::setPassThrough(bool isOn)
{
    m_state->commands.setPassThrough(isOn, window);
}

void Engine::moveToFront(quint64 turn)
{
    m_state->commands.moveToFront(base::TurnId{turn});
}

void Engine::cancelTurn(quint64 turn)
{
    m_state->commands.cancel(base::TurnId{turn});
}

void Engine::drain(int graceMs)
{
    State &s = *m_state;
    s.listener.stopAccepting();
    s.doors.setDraining(true);
    s.spares.stop();
    if (turnsInFlight() == 0)
        Q_EMIT drained();
    else
        s.grace.start(graceMs);
}

} // namespace headway::engine
