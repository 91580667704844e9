// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/dialects/assistantphases.h"
#include "proxy/core/dialects/upstreamevent.h"
#include "proxy/core/heads/cachewatch.h"
#include "proxy/core/heads/expectedwaits.h"
#include "proxy/core/heads/itemprint.h"
#include "proxy/core/heads/pool.h"
#include "proxy/core/pacing/holdgate.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/turn/redaction.h"
#include "proxy/core/turn/transport.h"
#include "proxy/engine/connections.h"
#include "proxy/engine/httpscalls.h"
#include "proxy/engine/recorder.h"
#include "proxy/engine/throttles.h"
#include "proxy/engine/ticketbook.h"
#include "proxy/store/installkey.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace headway::engine {

struct HeadFacts
{
    std::string session; // as shown
    std::string agent;
    std::string model;
    std::uint64_t bytesSaved = 0; // request bytes that did not have to go up again
    std::uint64_t tokensSaved = 0; // of continued turns, out of the provider's cache
};

// What every turn needs of the engine. Owned by the engine, alive as long as any turn.
struct Services
{
    heads::HeadPool &pool;
    heads::ItemPrinter &printer;
    heads::ExpectedWaits &waits;
    heads::CacheWatch &cacheWatch;
    pacing::Pacer &pacer;
    Throttles &throttles;
    Connections &connections;
    HttpsCalls &https;
    turn::TransportMemory &transport;
    Recorder &recorder;
    dialects::EventReader &reader;
    base::Random &random;
    store::InstallKey &installKey;
    std::shared_ptr<dialects::AssistantPhases> phases = {}; // set by the engine
    std::string endpointUrl = {};
    base::Fingerprint credential = {}; // of what the endpoint is sent
    std::string account = {}; // of the plan; empty: the credential stands for itself
    turn::Redactor redact = {}; // for every text that leaves the proxy
    std::string policyName = {};
    pacing::Policy policy = pacing::Policy::Bucket;
    pacing::HoldGate holds = {};
    TicketBook tickets = {};
    bool passThrough = false; // policy off, no continuation
    base::Milliseconds firstEvent{60'000};
    base::Milliseconds openStreamAfter{45'000};
    std::size_t mostConnections = 8'192; // upstream, as descriptors allow

    // Set by the engine.
    std::function<void(base::TurnId, base::SteadyTime)> wakeAt = {}; // TurnRun::wake() at that time
    std::function<void(pacing::WaiterId, base::TurnId)> expectDeparture = {};
    std::function<void()> transportChanged = {}; // the endpoint is called otherwise now
    std::function<void()> pacerChanged = {}; // nextDue() may have moved
    std::function<void(heads::HeadId)> headFreed = {}; // it is idle, or gone
    std::function<void()> forkStarted = {}; // some head may advance now
    std::function<void()> roomMade = {}; // a connection with lanes takes more turns

    // What is known of the conversation of each head; dropped with it.
    std::unordered_map<heads::HeadId, HeadFacts> headFacts = {};

    std::uint64_t nextWaiter = 1;

    // Before a dial: idle connections make room where descriptors run out (reason `socket_cap`).
    void makeRoom(base::Now now);
    // Closes the connections of heads the pool let go.
    void closeEvicted(const std::vector<heads::Eviction> &evictions, base::Now now);
};

} // namespace headway::engine
