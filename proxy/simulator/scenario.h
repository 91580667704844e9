// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::simulator {

using DurationRange = std::pair<base::Milliseconds, base::Milliseconds>; // uniform, both inclusive

// One limit on new connections (lab.md). All limits of a scenario must agree to an upgrade.
struct UpgradeLimit
{
    enum class Kind : std::uint8_t {
        SlidingWindow,
        TokenBucket,
        Concurrent,
        RandomRefusal,
        AfterTotal
    };

    Kind kind = Kind::SlidingWindow;
    std::vector<double> max{}; // one value per `every`, the last stays; one value when `every` is 0
    base::Milliseconds every{0};
    base::Milliseconds window{60'000}; // SlidingWindow
    base::Milliseconds block{0}; // SlidingWindow: closed that long after a rejection
    double ratePerMinute = 0; // TokenBucket
    double burst = 1; // TokenBucket
    double probability = 0; // RandomRefusal
    base::Milliseconds reset{0}; // AfterTotal: open again that long after the last admitted one
    int status = 403; // of the refusal; 403 has an empty body, others a JSON error
    std::optional<base::Milliseconds> retryAfter{}; // none: no Retry-After header
};

// Something that goes wrong, in a stretch of time (`at`, `length`), or for the next `count`
// occasions, or both. `at` without `length` and `count` on Close, Reset, Eof and a Silence without
// pongs hits every open socket once.
struct Fault
{
    enum class Kind : std::uint8_t {
        RejectUpgrades,
        SwallowUpgrades, // TCP stands, nothing is answered; POSTs are
        UpgradeBody,
        ErrorEvent,
        Close,
        Reset,
        Eof,
        Silence,
        EmptyCompleted,
    };

    Kind kind = Kind::RejectUpgrades;
    std::optional<base::Milliseconds> at{}; // since the provider started
    std::optional<base::Milliseconds> length{};
    std::optional<int> count{};
    int status = 403; // RejectUpgrades, UpgradeBody, ErrorEvent
    std::optional<base::Milliseconds> retryAfter{}; // RejectUpgrades, ErrorEvent
    QByteArray body; // UpgradeBody; one that begins with '<' goes out as HTML
    std::vector<std::pair<QByteArray, QByteArray>> headers{}; // UpgradeBody, besides the usual ones
    QByteArray code; // ErrorEvent; empty: null
    QByteArray message; // ErrorEvent; empty: one that names the scenario
    bool pongs = true; // Silence: a thinking model; without, the connection is dead
    std::uint16_t closeCode = 1011; // Close
    int afterEvents = 0; // ErrorEvent, Close, Reset, Eof, Silence: events of the turn sent before

    [[nodiscard]] bool concernsUpgrades() const
    {
        return kind == Kind::RejectUpgrades || kind == Kind::SwallowUpgrades
            || kind == Kind::UpgradeBody;
    }
    // Can strike a connection that has nothing to answer.
    [[nodiscard]] bool concernsSockets() const
    {
        return kind == Kind::Close || kind == Kind::Reset || kind == Kind::Eof
            || (kind == Kind::Silence && !pongs);
    }
};

struct Reply
{
    enum class Kind : std::uint8_t { Text, Reasoning, Tool, Tools, Fanout };

    Kind kind = Kind::Text;
    QString name{}; // Tool, Tools: empty picks a shell-like tool of the request
    // Tool, Tools: none builds one from the tool's schema; Text: {"text": …}, which may be empty
    std::optional<QJsonObject> input{};
    int n = 1; // Tools, Fanout: how many calls
};

// The `provider` object of lab.md. Reply k answers a conversation's k-th model turn; beyond the
// list every turn is text. Without any reply the last user message may ask for one (replyplan.h).
struct Scenario
{
    std::uint64_t seed = 1;
    std::vector<UpgradeLimit> upgradeLimits;
    double othersPerMinute = 0; // openings by somebody else on the same account, evenly spaced
    DurationRange connect{80, 250};
    DurationRange firstToken{200, 800};
    DurationRange turn{2000, 15000};
    std::optional<double> tokensPerMinute{};
    bool lanes = false;
    bool planEndpoint = false; // refuses what the ChatGPT plan's endpoint refuses
    base::Milliseconds connectionMaxAge{3'600'000};
    int maxFrameBytes = 128 << 20; // a larger message closes the WebSocket with 1009
    std::vector<Fault> faults;
    std::vector<Reply> replies;
};

// `json` is a scenario file with a `provider` object, or that object itself. An unknown key, a
// wrong type or an impossible value is an error that names the key. Source: lab.md.
[[nodiscard]] tl::expected<Scenario, std::string> parseScenario(const QByteArray &json);

// What --simulate and --demo use: 70 openings a minute, first token 200 to 800 ms, turns 2 to 6 s.
[[nodiscard]] Scenario defaultScenario();

} // namespace headway::simulator
