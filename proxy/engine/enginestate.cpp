// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/enginestate.h"

#include "proxy/core/heads/endpointprofile.h"
#include "proxy/core/live/metrics.h"
#include "proxy/core/pacing/policynames.h"
#include "proxy/core/settings/terms.h"
#include "proxy/engine/tuning.h"
#include "proxy/net/clock.h"
#include "proxy/net/listener/descriptorlimit.h"

#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace headway::engine {

namespace {

using settings::Key;

constexpr int switchingProtocols = 101;

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

std::string whyUnpaced(const std::vector<pacing::Notice> &notices)
{
    for (const pacing::Notice &notice : notices)
        if (notice.key.starts_with("pacing.disabled:")
            || notice.key.starts_with("pacing.cannot_refuse:"))
            return notice.text;
    return {};
}

} // namespace

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
    , connections(options.endpoint, access, options.openTimeout)
    , https(connections, access)
    , transport(heads::frameLimitOf(options.endpoint.url.host().toStdString())
                    .value_or(turn::TransportMemory::largestFrame))
    , services{pool,  printer,   waits,    cacheWatch, *pacer, throttles, connections,
               https, transport, recorder, reader,     random, installKey}
    , turns(services)
    , spares(services)
    , commands(services, turns, [this] { applySettings(net::readClock()); })
    , feed([this](const live::Command &command) { return obey(command); })
    , doors(services, turns, doorRules())
    , listener({options.address, options.port, options.allowedHosts, options.accessKey,
                options.controlKey, listenerLimits(options.settings)})
    , ledger(ledgerOptions(options))
    , snapshots(services, turns, options.settings)
{
    services.phases = std::make_shared<dialects::AssistantPhases>(seed());
    services.endpointUrl = options.endpoint.url.toString().toStdString();
    services.credential = access.fingerprint(options.endpoint.key);
    services.mostConnections = net::connectionsFor(net::raiseDescriptorLimit());
    services.redact = turn::Redactor({options.endpoint.key, options.accessKey, options.controlKey});
}

Doors::Rules Engine::State::doorRules()
{
    Doors::Rules rules;
    rules.budget = [this] { return budget(); };
    rules.models = dialects::ModelTable(options.models, options.anyModel);
    rules.anthropic = options.anthropic;
    rules.upstream = dialects::upstreamKindOf(options.endpoint.url.host().toLower().toStdString(),
                                              options.plan.has_value());
    rules.shaping = [this] { return shapingRules(options.settings); };
    rules.cacheKeyPerAgent = options.settings.flag(Key::CacheKeyPerAgent);
    rules.state = [this] { return snapshots.stateJson(facts(), net::readClock()); };
    rules.metrics = [this] { return metrics(); };
    rules.feed = [this](net::ClientSocket *socket) { feed.add(socket); };
    return rules;
}

SnapshotBuilder::Facts Engine::State::facts() const
{
    return {listening, ledgerState, notices, unpaced, commands.inForce(), signIn()};
}

live::SignIn Engine::State::signIn() const
{
    live::SignIn signIn = access.signIn();
    signIn.trouble = services.redact(signIn.trouble); // a server may quote what it was sent
    return signIn;
}

void Engine::State::record(ledger::Body body)
{
    recorder.add({}, {}, {}, std::move(body), net::readClock().wall);
}

void Engine::State::applySettings(base::Now now)
{
    pacing::PacerSettings paced = settings::pacerSettings(options.settings);
    if (services.passThrough)
        paced.policy = pacing::Policy::Off;
    pacer->applySettings(paced, now);
    services.closeEvicted(pool.applySettings(poolSettings(options.settings, options.endpoint), now),
                          now);
    spares.applySettings(static_cast<std::size_t>(options.settings.integer(Key::Spares)),
                         settings::pacerSettings(options.settings), now);
    listener.applyLimits(listenerLimits(options.settings));
    listener.setModelSockets(options.settings.flag(Key::ClientSockets));
    const store::LedgerOptions kept = ledgerOptions(options);
    ledger.setRetention(kept.retentionAge, kept.retentionBytes);
    services.policyName = pacing::name(paced.policy);
    services.policy = paced.policy;
    services.firstEvent = base::Milliseconds{options.settings.integer(Key::FirstEventMs)};
    services.openStreamAfter = base::Milliseconds{options.settings.integer(Key::OpenStreamAfterMs)};
    turns.pacerChanged();
    limitTimer.start();
    noteNotices();
}

// What is in force is shown; what is new goes to the ledger once.
void Engine::State::noteNotices()
{
    notices = options.notices;
    const pacing::RequestBudget resolved = budget();
    addNotices(notices, resolved.notices);
    const std::vector<pacing::Notice> ofPacing = pacer->notices(resolved);
    addNotices(notices, ofPacing);
    unpaced = whyUnpaced(ofPacing);
    if (transport.cause())
        notices.push_back(turn::notice(*transport.cause()));
    if (const std::string lacking = signIn().trouble; !lacking.empty())
        notices.push_back(lacking);
    std::ranges::copy(dialects::notices(shapingRules(options.settings)),
                      std::back_inserter(notices));
    for (const std::string &text : notices) {
        if (std::ranges::find(seenNotices, text) != seenNotices.end())
            continue;
        seenNotices.push_back(text);
        record(ledger::Warning{"notice", text});
    }
}

// To an upgrade or a call.
void Engine::State::answered(const net::UpgradeReply &reply)
{
    (void)throttles.quota.readHeaders(reply.headers, net::readClock().wall);
    for (const auto &[name, value] : reply.headers)
        throttles.tokens.read(name, value, net::readClock());
    limitTimer.start();
    if (reply.status == switchingProtocols && transport.cause()) {
        transport.upgraded();
        noteNotices();
    }
}

std::string Engine::State::metrics() const
{
    const pacing::PacerLevel level = pacer->level(net::readClock());
    return live::metricsText({.version = HEADWAY_VERSION,
                              .totals = recorder.totals(),
                              .admissionsRefused = recorder.admissionsRefused(),
                              .waits = recorder.waits(),
                              .turnsInFlight = turns.size(),
                              .waiting = level.waiting + services.holds.size(),
                              .gated = throttles.gated,
                              .connections = connections.size(),
                              .heads = pool.size(),
                              .bucketLevel = level.tokens,
                              .estimate = level.estimate,
                              .isLedgerOk = ledgerState == "ok"});
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
    if (access.isPlan())
        access.ask({}, &access, [](const UpstreamAccess::Result &) {});
}

void Engine::State::everySecond(base::Now now)
{
    access.lookAgain();
    connections.tick(now);
    const pacing::PacerLevel level = pacer->level(now); // for whoever looks later
    recorder.seconds().level(level.tokens, static_cast<std::uint32_t>(level.waiting), now.wall);
    ceiling.keep(*pacer, now, false);
    turns.tick(now);
    spares.tick(budget(), now);
    services.tickets.recordLapsed(*pacer, recorder, now);
    lookAtLimits(now);
}

void Engine::State::lookAtLimits(base::Now now)
{
    const pacing::CeilingEstimate estimate = pacer->estimate(now);
    for (ledger::Body &each : limits.look({.policy = services.policyName,
                              .spacing = pacer->level(now).spacing,
                              .estimate = estimate,
                              .tokens = throttles.tokens,
                              .quota = throttles.quota},
                                          now))
        recorder.add({}, {}, {}, std::move(each), now.wall);
}

} // namespace headway::engine
