// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/decision.h"
#include "proxy/core/ledger/record.h"
#include "proxy/core/pacing/ceiling.h"
#include "proxy/core/pacing/quota.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headway::live {

enum class Phase : std::uint8_t { Gate, Queued, Backoff, Dialling, FirstByte, Streaming };
inline constexpr std::size_t phaseCount = 6;

// One turn in flight. Durations are as of the snapshot's time.
struct TurnRow
{
    base::TurnId turn;
    std::string session; // 12 hex, or the user's label
    std::string agent; // empty: main agent
    std::string model;
    std::string dialect;
    Phase phase = Phase::Dialling;
    std::optional<heads::Decision> decision;
    std::optional<heads::Place> place;
    base::Milliseconds age{0};
    base::Milliseconds inPhase{0};
    base::Milliseconds remaining{0}; // Queued, Backoff: until it leaves
    std::size_t queuePlace = 0;
    bool held = false; // Queued: by a person, see Overrides
    bool refusedThen = false; // Queued: as things stand it does not leave but is refused
    // Queued, Backoff: for want of a new connection, not of a head, a person's word or a remedy;
    // and how long that was so, all attempts together.
    bool lacksOpening = false;
    base::Milliseconds lackedOpening{0};
    // How long it was in each phase so far, all attempts together; by Phase.
    std::array<base::Milliseconds, phaseCount> spent{};
    std::uint32_t attempt = 1;
    std::uint64_t outputEvents = 0;
    std::uint64_t outputTokens = 0; // of the text so far, estimated
    std::uint64_t bytesOut = 0;
    std::string why; // plain words

    friend bool operator==(const TurnRow &, const TurnRow &) = default;
};

// A head, or a spare connection (head 0). Several heads of one connection differ in their lane.
struct HeadRow
{
    std::uint64_t head = 0; // names it to Engine::evictHead()
    base::ConnectionId connection;
    std::string lane; // empty: the connection's default lane
    std::string partition; // 12 hex
    std::string session;
    std::string agent;
    std::string model;
    heads::Generation generation = heads::Generation::Nursery;
    bool inFlight = false;
    bool pinned = false; // spared by caps and idle limits
    bool spare = false; // opened ahead, never used yet
    heads::MatchMode lastMatch = heads::MatchMode::None;
    base::Milliseconds age{0}; // of the connection
    base::Milliseconds idle{0};
    std::uint64_t turns = 0;
    std::uint64_t items = 0;
    std::uint64_t contextTokens = 0; // of the conversation it holds
    std::uint64_t bytesSaved = 0; // request bytes that did not go up again
    std::uint64_t tokensSaved = 0; // of continued turns, out of the provider's cache

    friend bool operator==(const HeadRow &, const HeadRow &) = default;
};

// What happened in one wall-clock second; the charts are drawn from these.
struct SecondStats
{
    std::int64_t second = 0; // unix time
    std::uint32_t continued = 0; // turn starts, by kind
    std::uint32_t laneOrSpare = 0;
    std::uint32_t openedAtOnce = 0;
    std::uint32_t openedAfterWait = 0;
    std::uint32_t refused = 0;
    std::uint32_t rejections = 0; // by the provider
    std::uint32_t completed = 0;
    std::uint32_t failed = 0; // refused ones included
    std::uint32_t turnsRefused = 0; // turns that ended so; `refused` counts attempts
    // Waits of the attempts that were admitted or refused in this second, milliseconds.
    double waitP50Ms = 0;
    double waitP95Ms = 0;
    double waitMaxMs = 0;
    std::uint32_t waits = 0; // how many; 0 = gap
    std::uint32_t queueLength = 0; // at the end of the second
    double bucketLevel = 0; // tokens at the end of the second, negative: debt
    std::uint64_t inputTokens = 0;
    std::uint64_t cachedTokens = 0;
    std::uint32_t warnings = 0;

    friend bool operator==(const SecondStats &, const SecondStats &) = default;
};

// A settings change, marked on the charts.
struct ChangeMark
{
    base::WallTime at;
    std::string key;
    std::string oldValue;
    std::string newValue;
    std::string who;

    friend bool operator==(const ChangeMark &, const ChangeMark &) = default;
};

struct Totals
{
    std::uint64_t turnsStarted = 0;
    std::uint64_t turnsCompleted = 0;
    std::uint64_t turnsFailed = 0;
    std::uint64_t turnsRefused = 0;
    std::uint64_t clientGone = 0;
    std::uint64_t continued = 0;
    std::uint64_t opened = 0;
    std::uint64_t rejections = 0;
    std::uint64_t records = 0;
    std::uint64_t inputTokens = 0;
    std::uint64_t cachedTokens = 0;

    friend bool operator==(const Totals &, const Totals &) = default;
};

// One setting as the control panel needs it.
struct SettingValue
{
    std::string value; // as text, in the setting's own unit
    std::string source; // default, file, environment, command_line, window
    bool locked = false; // fixed by command line or environment

    friend bool operator==(const SettingValue &, const SettingValue &) = default;
};

// What a person has put above the settings, until it is switched back (spec/window.md, "Rules").
struct Overrides
{
    bool pauseAll = false; // nobody is admitted; deadlines run on
    bool passThrough = false; // policy off, no continuation
    std::vector<std::string> heldSessions; // as TurnRow::session, ascending

    friend bool operator==(const Overrides &, const Overrides &) = default;
};

// How the proxy stands with the sign-in to the ChatGPT plan.
enum class SignInState : std::uint8_t {
    NotAsked, // the upstream takes none, or nothing was said of it
    Looking,
    SignedIn,
    Unrenewed, // it could not be renewed just now; the next turn tries again
    Lacking // there is none, or none that counts: every turn is refused
};

struct SignIn
{
    SignInState state = SignInState::NotAsked;
    std::string who; // e-mail address, else the account; never in the ledger
    std::string plan; // "pro"
    bool isOfCodex = false; // what `codex login` left
    std::string trouble; // Unrenewed, Lacking: what is wrong, and the command that helps

    friend bool operator==(const SignIn &, const SignIn &) = default;
};

// What the window shows, ten times a second, as one value. Built on the proxy's thread; nothing in
// it changes afterwards.
struct Snapshot
{
    base::WallTime at;
    std::string listening; // "127.0.0.1:17421"; empty: not listening
    std::string upstream; // as a person would name it
    std::string
        upstreamState; // ok, untried, "rejecting (403)", "unreachable: …", "no credential: …"
    std::vector<TurnRow> turns;
    std::vector<HeadRow> heads;
    std::vector<SecondStats> seconds; // new or changed ones since the last snapshot, ascending
    std::vector<ChangeMark> changes; // new ones since the last snapshot
    std::vector<ledger::Record> records; // new ones since the last snapshot
    std::map<std::string, SettingValue> settings; // by key
    std::string unpaced; // why the set rate is not kept, plain words; empty: it is, or none is set
    base::Milliseconds waitBound{0}; // derived, spec/pacing.md section 2
    base::Milliseconds ladder{0};
    base::Milliseconds hintCap{0};
    int effectiveRetries = 0;
    Overrides overrides;
    base::Milliseconds effectiveIdle{0};
    std::vector<std::string> notices; // all in force, plain words
    Totals totals;
    std::string ledgerState; // ok, or what is wrong and what was done
    std::string policy;
    double bucketLevel = 0;
    std::uint32_t waiting = 0;
    std::uint32_t gated = 0; // wait for the token budget or a cool-down
    // What the pacer does at the door, and what policy `auto` has learned.
    pacing::DoorState door = pacing::DoorState::Open;
    std::optional<base::Milliseconds> doorFor; // until that state ends, where it is known
    base::Milliseconds spacing{0}; // between two openings; 0: not spaced
    pacing::CeilingEstimate estimate;
    std::vector<pacing::QuotaWindow> quota; // of the account, as the provider last told
    SignIn signIn;
};

using SnapshotPointer = std::shared_ptr<const Snapshot>;

} // namespace headway::live
