// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/ledger/columns.h"
#include "proxy/core/live/snapshot.h"

#include <string>

namespace headway::tests {

// A snapshot in which every member of every value differs from its default and from its
// neighbours: what the feed forgets is missed.
inline live::Snapshot populated()
{
    using namespace std::chrono_literals;
    live::TurnRow turn;
    turn.turn = base::TurnId{0x1f};
    turn.session = "0123456789ab";
    turn.agent = "agent 3";
    turn.model = "gpt-5.5";
    turn.dialect = "messages";
    turn.phase = live::Phase::Queued;
    turn.decision = heads::Decision::Continuation;
    turn.place = heads::Place::Lane;
    turn.age = 1ms;
    turn.inPhase = 2ms;
    turn.remaining = 3ms;
    turn.queuePlace = 4;
    turn.held = true;
    turn.refusedThen = true;
    turn.lacksOpening = true;
    turn.lackedOpening = 15ms;
    turn.spent = {5ms, 6ms, 7ms, 8ms, 9ms, 10ms};
    turn.attempt = 11;
    turn.outputEvents = 12;
    turn.outputTokens = 14;
    turn.bytesOut = 13;
    turn.why = "the minute's 60 were \"used\"";

    live::HeadRow head;
    head.head = 21;
    head.connection = base::ConnectionId{22};
    head.lane = "lane-1";
    head.partition = "aaaabbbbcccc";
    head.session = "s";
    head.agent = "a";
    head.model = "m";
    head.generation = heads::Generation::Established;
    head.inFlight = true;
    head.pinned = true;
    head.spare = true;
    head.lastMatch = heads::MatchMode::ReasoningOmitted;
    head.age = 23ms;
    head.idle = 24ms;
    head.turns = 25;
    head.items = 26;
    head.contextTokens = 27;
    head.bytesSaved = 28;
    head.tokensSaved = 29;

    const live::SecondStats second{1'790'000'000, 31,    32,   33, 34, 35,    36, 37, 38, 48,
                                   39.5,          40.25, 41.5, 42, 43, -44.5, 45, 46, 47};

    live::Snapshot snapshot;
    snapshot.at = base::WallTime{1'790'000'000'123ms};
    snapshot.listening = "127.0.0.1:17421";
    snapshot.upstream = "openai";
    snapshot.upstreamState = "rejecting (403)";
    snapshot.turns = {turn};
    snapshot.heads = {head};
    snapshot.seconds = {second};
    snapshot.changes = {{base::WallTime{1'790'000'000'001ms}, "burst", "10", "20", "window"}};
    snapshot.records = {{base::WallTime{1'790'000'000'002ms}, base::TurnId{0x2f}, "abc", "def",
                         ledger::Warning{"notice", "a text"}}};
    snapshot.settings = {{"burst", {"20", "window", true}}};
    snapshot.unpaced = "too short";
    snapshot.waitBound = 51ms;
    snapshot.ladder = 52ms;
    snapshot.hintCap = 53ms;
    snapshot.effectiveRetries = 54;
    snapshot.overrides = {true, true, {"0123456789ab", "x"}};
    snapshot.effectiveIdle = 55ms;
    snapshot.notices = {"a notice"};
    snapshot.totals = {61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71};
    snapshot.ledgerState = "ok";
    snapshot.policy = "auto";
    snapshot.bucketLevel = -1.5;
    snapshot.waiting = 72;
    snapshot.gated = 73;
    snapshot.door = pacing::DoorState::Probing;
    snapshot.doorFor = 74ms;
    snapshot.spacing = 75ms;
    snapshot.estimate
        = {pacing::CeilingShape::Rate, 76.5, 77ns, 78, 0.79, base::WallTime{1'790'000'000'003ms}};
    snapshot.quota
        = {{"codex", "5 h", base::Seconds{18'000}, 41.5, base::WallTime{1'790'000'000'004ms}}};
    snapshot.signIn = {live::SignInState::Lacking, "me@example.com", "pro", true, "it has ended"};
    return snapshot;
}

// Draws values for the feed's tests, the awkward ones often.
class Draw final
{
public:
    explicit Draw(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::uint64_t below(std::uint64_t limit) { return m_random.next() % limit; }
    bool flag() { return below(2) == 1; }
    std::uint64_t number() { return below(3) == 0 ? below(3) : m_random.next() >> (1 + below(63)); }
    double real()
    {
        return below(4) == 0 ? 0 : m_random.uniform(-1e9, 1e9) / double(1 + below(999));
    }
    std::string text()
    {
        static const std::string words[]{"", "plain", "\"quoted\" \\ \n\t\x01", "ünï → 🚆",
                                         "{}[]:,"};
        return words[below(5)];
    }
    base::Milliseconds ms() { return base::Milliseconds{std::int64_t(below(1'000'000'000)) - 5}; }
    base::WallTime time()
    {
        return base::WallTime{base::Milliseconds{std::int64_t(below(4'000'000'000'000))}};
    }

    ledger::Record record()
    {
        const ledger::Kind &kind = ledger::kinds()[below(ledger::kinds().size())];
        ledger::Record record = kind.blank();
        for (const ledger::Column &column : kind.columns) {
            if (column.optional && flag())
                continue;
            const std::string text = this->text();
            column.set(record, cell(column.type, text));
        }
        return record;
    }

private:
    ledger::Value cell(ledger::Type type, const std::string &text)
    {
        switch (type) {
        case ledger::Type::Time:
            return time();
        case ledger::Type::Turn:
            return base::TurnId{number()};
        case ledger::Type::Text:
            return std::string_view(text);
        case ledger::Type::Integer:
            return std::int64_t(number());
        case ledger::Type::Real:
            return real();
        case ledger::Type::Flag:
            return flag();
        }
        return {};
    }

    base::Random m_random;
};

} // namespace headway::tests
