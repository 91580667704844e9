// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/nonblocking.h"
#include "tests/bench/replyscript.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headway::bench {

struct LoadPlan
{
    std::uint16_t port = 0;
    std::string path = "/v1/messages"; // its end chooses the dialect: …messages or …responses
    std::vector<std::string> headers; // whole lines
    int streams = 1; // at a time
    int turns = 1; // in all
    int sessionTurns = 1; // append-only, then a new session
    std::size_t historyBytes = 0; // of each session's first turn
    TurnShape shape;
};

struct LoadResult
{
    std::uint64_t turns = 0;
    std::uint64_t lost = 0;
    std::uint64_t deltas = 0;
    std::uint64_t bytes = 0; // received
    std::vector<double> firstEventMs; // of each turn that had one
    double seconds = 0;
    std::string firstLoss; // what the first lost turn got, for a person
};

// An agent's conversation: what it asks next, as a request's bytes.
class Session final
{
public:
    Session(const LoadPlan &plan, std::uint64_t number);

    [[nodiscard]] std::string nextRequest();
    void hear(const std::string &reply); // the assistant's words
    [[nodiscard]] bool isOver() const { return m_turns >= m_plan->sessionTurns; }

private:
    void say(std::string_view role, const std::string &text);

    const LoadPlan *m_plan;
    bool m_isMessages;
    std::uint64_t m_number;
    int m_turns = 0;
    std::string m_history; // the messages so far, as the inside of a JSON array
};

// Cuts an HTTP answer into its head, its body and its end; counts the events in it.
class ReplyReader final
{
public:
    enum class Progress : std::uint8_t { More, Complete, Broken };

    void begin();
    [[nodiscard]] Progress read(std::string &in); // takes what it can use
    [[nodiscard]] std::uint64_t deltas() const { return m_deltas; }
    [[nodiscard]] bool isGood() const { return m_status == 200 && m_sawEnd; }
    [[nodiscard]] bool hasEvent() const { return m_hasEvent; }
    [[nodiscard]] const std::string &head() const { return m_head; }
    [[nodiscard]] const std::string &lastLines() const { return m_line; }

private:
    void countEvents(std::string_view body);

    std::string m_head;
    std::string m_line; // of the body, not ended yet
    std::size_t m_left = 0; // of a chunk or of a body with a length
    std::uint64_t m_deltas = 0;
    int m_status = 0;
    bool m_isChunked = false;
    bool m_inChunk = false;
    bool m_sawEnd = false;
    bool m_hasEvent = false;
};

[[nodiscard]] LoadResult runLoad(const LoadPlan &plan);

} // namespace headway::bench
