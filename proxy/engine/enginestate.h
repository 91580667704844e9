// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/limitwatch.h"
#include "proxy/engine/ceilingkeeper.h"
#include "proxy/engine/doors.h"
#include "proxy/engine/engine.h"
#include "proxy/engine/feed.h"
#include "proxy/engine/snapshotbuilder.h"
#include "proxy/engine/spares.h"
#include "proxy/engine/turns.h"
#include "proxy/engine/usercommands.h"
#include "proxy/store/installkey.h"
#include "proxy/store/ledgerstore.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::engine {

// What the engine is made of, in the order in which it is built, and what follows from its
// settings. The proxy's thread only.
struct Engine::State
{
    explicit State(EngineOptions o);

    [[nodiscard]] pacing::RequestBudget budget() const
    {
        return pacing::resolveBudget(options.settings.budget());
    }
    [[nodiscard]] Doors::Rules doorRules();
    [[nodiscard]] SnapshotBuilder::Facts facts() const;
    [[nodiscard]] live::SignIn signIn() const; // to the plan, as a person is told
    void record(ledger::Body body);
    void applySettings(base::Now now);
    void noteNotices();
    void answered(const net::UpgradeReply &reply);
    void flushLedger();
    void learnAccount();
    void everySecond(base::Now now);
    void lookAtLimits(base::Now now); // what changed goes to the ledger
    [[nodiscard]] std::string metrics() const; // GET /metrics

    // Acts at once; why it did not, or not as asked, in a sentence. `who`: window or feed.
    std::optional<std::string> changeSetting(std::string_view who, std::string_view name,
                                             std::string_view value);
    void evictHead(base::ConnectionId connection, heads::HeadId head); // as Engine has it
    [[nodiscard]] std::optional<live::FeedAnswer> obey(const live::Command &command);

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
    ledger::LimitWatch limits;
    UpstreamAccess access;
    Connections connections;
    HttpsCalls https;
    turn::TransportMemory transport;
    Services services;
    Turns turns;
    Spares spares;
    UserCommands commands;
    Feed feed;
    Doors doors;
    net::Listener listener;
    store::LedgerStore ledger;
    SnapshotBuilder snapshots;
    std::string ledgerState = "ok";
    std::string listening;
    std::vector<std::string> notices; // in force
    std::string unpaced; // as Snapshot::unpaced; likewise
    std::vector<std::string> seenNotices; // recorded once
    bool isWatched = false; // by a window of this process
    QTimer tick;
    QTimer limitTimer;
    QTimer snapshotTimer;
    QTimer ledgerTimer;
    QTimer grace;
};

} // namespace headway::engine
