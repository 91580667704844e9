// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/engine.h"

#include "proxy/core/settings/terms.h"
#include "proxy/engine/ceilingkeeper.h"
#include "proxy/engine/doors.h"
#include "proxy/engine/snapshotbuilder.h"
#include "proxy/engine/spares.h"
#include "proxy/engine/tuning.h"
#include "proxy/engine/turns.h"
#include "proxy/net/clock.h"
#include "proxy/store/installkey.h"
#include "proxy/store/ledgerstore.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;
using settings::Key;

constexpr auto tickEvery = 1s;
constexpr auto snapshotEvery = 100ms;
constexpr auto ledgerEvery = 100ms;

std::uint64_t seed()
{
    return QRandomGenerator::system()->generate64();
}

store::LedgerOptions ledgerOptions(const EngineOptions &options)
{
    store::LedgerOptions ledger;
    ledger.path = options.ledgerPath;
    ledger.retentionAge = std::chrono::days{options.settings.integer(Key::RetentionDays)};
    ledger.retentionBytes = qint64{options.settings.integer(Key::RetentionMib)} << 20;
    return ledger;
}

// Endpoint and credential, not to be read back from the name.
std::string accountName(const net::Endpoint &endpoint, const store::InstallKey &key)
{
    return key.hash(endpoint.url.toString().toStdString() + '\n' + endpoint.key);
}

void addNotices(std::vector<std::string> &texts, const std::vector<pacing::Notice> &notices)
{
    for (const pacing::Notice &notice : notices)
        texts.push_back(notice.text);
}

} // namespace

struct Engine::State
{
    explicit State(EngineOptions o);

    [[nodiscard]] pacing::RequestBudget budget() const
    {
        return pacing::resolveBudget(options.settings.budget());
    }
    [[nodiscard]] Doors::Rules doorRules();
    [[nodiscard]] SnapshotBuilder::Facts facts() const;
    void record(ledger::Body body);
    void applySettings(base::Now now);
    void noteNotices();
    void flushLedger();
    void learnAccount();
    void everySecond(base::Now now);

    EngineOptions options;
    store::InstallKey installKey;
    heads::ItemPrinter printer;
    heads::HeadPool pool;
    heads::ExpectedWaits waits;
    heads::CacheWatch cacheWatch;
    std::unique_ptr<pacing::Pacer> pacer;
    Throttles throttles;
    CeilingKeeper ceiling;
    dialects::EventReader reader;
    base::Random random;
    Recorder recorder;
    UpstreamAccess access;
    Connections connections;
    Services services;
    Turns turns;
    Spares spares;
    Doors doors;
    net::Listener listener;
    store::LedgerStore ledger;
    SnapshotBuilder snapshots;
    std::string ledgerState = "ok";
    std::string listening;
    std::vector<std::string> notices; // in force
    std::vector<std::string> seenNotices; // recorded once
    QTimer tick;
    QTimer snapshotTimer;
    QTimer ledgerTimer;
    QTimer grace;
};

Engine::State::State(EngineOptions o)
    : options(std::move(o))
    , installKey(store::InstallKey::load(options.installKeyPath))
    , printer(seed())
    , pool(poolSettings(options.settings, options.endpoint), seed())
    , pacer(pacing::makePacer(settings::pacerSettings(options.settings), net::readClock(), seed()))
    , throttles{pacing::RejectionSchedule(seed()), tokenBudget(options.settings, seed()), {}, {}}
    , ceiling(options.ceilingPath, accountName(options.endpoint, installKey))
    , random(seed())
    , access(options.endpoint, options.plan, options.headerProfiles, seed())
    , connections(options.endpoint, access)
    , services{pool,        printer,  waits,  cacheWatch, *pacer,    throttles,
               connections, recorder, reader, random,     installKey}
    , turns(services)
    , spares(services)
    , doors(services, turns, doorRules())
    , listener({options.address, options.port, options.allowedHosts, options.accessKey,
                options.controlKey, listenerLimits(options.settings)})
    , ledger(ledgerOptions(options))
    , snapshots(services, turns, options.settings)
{
}

Doors::Rules Engine::State::doorRules()
{
    Doors::Rules rules;
    rules.budget = [this] { return budget(); };
    rules.models = options.models;
    rules.anyModel = options.anyModel;
    rules.anthropic = options.anthropic;
    rules.plan = options.plan.has_value();
    rules.cacheKeyPerAgent = options.settings.flag(Key::CacheKeyPerAgent);
    rules.state = [this] { return snapshots.stateJson(facts(), net::readClock()); };
    return rules;
}

SnapshotBuilder::Facts Engine::State::facts() const
{
    return {listening, ledgerState, notices};
}

void Engine::State::record(ledger::Body body)
{
    recorder.add({}, {}, {}, std::move(body), net::readClock().wall);
}

void Engine::State::applySettings(base::Now now)
{
    pacer->applySettings(settings::pacerSettings(options.settings), now);
    services.closeEvicted(pool.applySettings(poolSettings(options.settings, options.endpoint), now),
                          now);
    spares.applySettings(static_cast<std::size_t>(options.settings.integer(Key::Spares)),
                         settings::pacerSettings(options.settings), now);
    listener.applyLimits(listenerLimits(options.settings));
    const store::LedgerOptions kept = ledgerOptions(options);
    ledger.setRetention(kept.retentionAge, kept.retentionBytes);
    services.policyName = options.settings.text(Key::Policy);
    services.policy = settings::pacerSettings(options.settings).policy;
    services.firstEvent = base::Milliseconds{options.settings.integer(Key::FirstEventMs)};
    services.openStreamAfter = base::Milliseconds{options.settings.integer(Key::OpenStreamAfterMs)};
    turns.pacerChanged();
    noteNotices();
}

// What is in force is shown; what is new goes to the ledger once.
void Engine::State::noteNotices()
{
    notices = options.notices;
    const pacing::RequestBudget resolved = budget();
    addNotices(notices, resolved.notices);
    addNotices(notices, pacer->notices(resolved));
    for (const std::string &text : notices) {
        if (std::ranges::find(seenNotices, text) != seenNotices.end())
            continue;
        seenNotices.push_back(text);
        record(ledger::Warning{"notice", text});
    }
}

void Engine::State::flushLedger()
{
    if (recorder.hasForLedger())
        ledger.append(recorder.takeForLedger());
}

// The account is part of every conversation's key, so it is wanted before the first turn; and a
// missing sign-in is better said at the start.
void Engine::State::learnAccount()
{
    if (!access.isPlan())
        return;
    access.ask({}, &access, [this](const UpstreamAccess::Result &pass) {
        if (pass)
            return;
        options.notices.push_back(pass.error().text.toStdString());
        noteNotices();
    });
}

void Engine::State::everySecond(base::Now now)
{
    connections.tick(now);
    ceiling.keep(*pacer, now, false);
    turns.tick(now);
    spares.tick(budget(), now);
}

Engine::Engine(EngineOptions options, QObject *parent)
    : QObject(parent)
    , m_state(std::make_unique<State>(std::move(options)))
{
    State &s = *m_state;
    s.services.endpointUrl = s.options.endpoint.url.toString().toStdString();
    s.services.credential = s.access.fingerprint(s.options.endpoint.key);
    s.services.redact
        = turn::Redactor({s.options.endpoint.key, s.options.accessKey, s.options.controlKey});
    connect(&s.listener, &net::Listener::requested, &s.doors, &Doors::requested);
    connect(&s.listener, &net::Listener::upgraded, &s.doors, &Doors::upgraded);
    connect(&s.connections, &Connections::recorded, this,
            [&s](base::TurnId turn, const ledger::Connection &record) {
                ledger::Connection told = record; // a provider may quote what it was sent
                told.reason = s.services.redact(told.reason);
                s.recorder.add(turn, {}, {}, std::move(told), net::readClock().wall);
            });
    connect(&s.access, &UpstreamAccess::secretLearned, this,
            [&s](const std::string &secret) { s.services.redact.add(secret); });
    connect(&s.access, &UpstreamAccess::credentialChanged, this,
            [&s](base::Fingerprint credential, const std::string &account) {
                s.services.credential = credential;
                s.services.account = account;
            });
    connect(&s.access, &UpstreamAccess::noticed, this,
            [&s](const std::string & /*key*/, const std::string &text) {
                s.options.notices.push_back(text);
                s.noteNotices();
            });
    connect(&s.connections, &Connections::credentialRejected, this,
            [&s](base::Fingerprint credential) {
                s.services.closeEvicted(s.pool.rejectCredential(credential), net::readClock());
            });
    connect(&s.connections, &Connections::levelChanged, this, [&s] {
        s.pacer->socketsChanged(s.connections.level(), net::readClock());
        s.turns.pacerMoved();
    });
    connect(&s.connections, &Connections::answered, this, [&s](const net::UpgradeReply &reply) {
        (void)s.throttles.quota.readHeaders(reply.headers, net::readClock().wall);
        for (const auto &[name, value] : reply.headers)
            s.throttles.tokens.read(name, value, net::readClock());
    });
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
    connect(&s.snapshotTimer, &QTimer::timeout, this, [this] { Q_EMIT snapshotReady(snapshot()); });
    connect(&s.ledgerTimer, &QTimer::timeout, this, [&s] { s.flushLedger(); });
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
            [&s](base::ConnectionId id, const std::string &lane) { s.pool.drained(id, lane); });
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
    m_state->recorder.setWatched(watched);
    if (watched)
        m_state->snapshotTimer.start(snapshotEvery);
    else
        m_state->snapshotTimer.stop();
}

live::SnapshotPointer Engine::snapshot()
{
    return m_state->snapshots.build(m_state->facts(), net::readClock());
}

std::size_t Engine::turnsInFlight() const
{
    return m_state->turns.size() + m_state->doors.relays();
}

void Engine::catchUp()
{
    m_state->everySecond(net::readClock());
    m_state->turns.pacerChanged();
}

void Engine::changeSetting(const QString &key, const QString &value)
{
    State &s = *m_state;
    const auto found = settings::find(key.toStdString());
    if (!found || !settings::row(*found).atRuntime) {
        Q_EMIT settingRefused(key, tr("This setting is read at start only."));
        return;
    }
    const std::string old = s.options.settings.text(*found);
    const auto outcome
        = s.options.settings.set(settings::Source::Window, *found, value.toStdString());
    if (outcome.notice)
        Q_EMIT settingRefused(key, QString::fromStdString(outcome.notice->text));
    if (!outcome.accepted || s.options.settings.text(*found) == old)
        return;
    s.record(
        ledger::SettingsChanged{"window", key.toStdString(), old, s.options.settings.text(*found)});
    s.applySettings(net::readClock());
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
    State &s = *m_state;
    const auto evicted = s.pool.evict(base::ConnectionId{connection}, heads::HeadId{head});
    s.services.closeEvicted(evicted, net::readClock());
}

void Engine::pinConnection(quint64 connection, bool pinned)
{
    m_state->pool.pinConnection(base::ConnectionId{connection}, pinned);
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
