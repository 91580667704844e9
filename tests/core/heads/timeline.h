// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/pool.h"

#include <QTest>

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// A pool with a clock and a shorthand for conversations, so that tests read as timelines. An item
// is a word: its first letter is its kind (U user, A assistant, F call, O output, R reasoning, S
// system, W web search) and equal words are equal items.
class Timeline
{
public:
    using Now = headway::base::Now;
    using Items = std::vector<headway::heads::ItemPrint>;

    explicit Timeline(const headway::heads::PoolSettings &settings = {}, std::uint64_t seed = 1)
        : pool(settings, seed)
    {
        now.steady += std::chrono::hours{5};
        now.wall += std::chrono::hours{400'000};
    }

    static headway::heads::ItemPrint item(std::string_view word)
    {
        using enum headway::heads::ItemKind;
        const auto kind = [&] {
            switch (word.front()) {
            case 'U':
                return UserMessage;
            case 'A':
                return AssistantMessage;
            case 'S':
                return SystemMessage;
            case 'F':
                return FunctionCall;
            case 'O':
                return FunctionCallOutput;
            case 'R':
                return Reasoning;
            case 'W':
                return HostedCall;
            default:
                return Other;
            }
        }();
        return {headway::base::fingerprint(word, 7), kind};
    }

    // "U1 R1 F1": words between single spaces.
    static Items items(std::string_view words)
    {
        Items list;
        while (!words.empty()) {
            const std::size_t end = std::min(words.find(' '), words.size());
            list.push_back(item(words.substr(0, end)));
            words.remove_prefix(std::min(end + 1, words.size()));
        }
        return list;
    }

    headway::heads::ScanRequest request(const Items &input, std::string_view agent = "main") const
    {
        headway::heads::ScanRequest scan;
        scan.key = headway::heads::PartitionKey{std::string(agent)};
        scan.input = input;
        scan.prompt = prompt;
        return scan;
    }

    headway::heads::ScanResult scan(std::string_view words, std::string_view agent = "main") const
    {
        const Items input = items(words);
        return pool.scan(request(input, agent), now);
    }

    // Scans and starts the turn as the scan says, on the matched head or on a new connection.
    headway::heads::HeadId begin(std::string_view words, std::string_view agent = "main")
    {
        const Items input = items(words);
        const auto scanRequest = request(input, agent);
        const auto result = pool.scan(scanRequest, now);
        if (result.decision == headway::heads::Decision::Continuation) {
            evictions = pool.claim(result.head, scanRequest, now);
            return result.head;
        }
        auto opened = pool.open(scanRequest, result.decision, nextConnection(), now);
        evictions = opened.evictions;
        return opened.head;
    }

    void end(headway::heads::HeadId head, std::string_view echoed)
    {
        evictions = pool.complete(
            head, {.responseId = "resp_" + std::to_string(head.value()), .echoed = items(echoed)},
            now);
    }

    // A whole turn.
    headway::heads::HeadId turn(std::string_view words, std::string_view echoed,
                                std::string_view agent = "main")
    {
        const auto head = begin(words, agent);
        const auto atBegin = evictions;
        end(head, echoed);
        evictions.insert(evictions.begin(), atBegin.begin(), atBegin.end());
        return head;
    }

    headway::base::ConnectionId nextConnection()
    {
        return headway::base::ConnectionId{++lastConnection};
    }

    void pass(headway::base::Nanoseconds time)
    {
        now.steady += time;
        now.wall += std::chrono::duration_cast<headway::base::Milliseconds>(time);
    }

    // The machine sleeps: the wall goes on, the steady clock does not.
    void suspend(headway::base::Milliseconds time) { now.wall += time; }

    // "nursery_idle_ttl 3" for each eviction, in order.
    static QStringList told(const std::vector<headway::heads::Eviction> &list)
    {
        QStringList lines;
        for (const auto &eviction : list) {
            const std::string line
                = std::string(name(eviction.reason)) + ' ' + std::to_string(eviction.head.value());
            lines << QString::fromStdString(line);
        }
        return lines;
    }

    QStringList sweep() { return told(pool.sweep(now)); }

    headway::heads::HeadPool pool;
    Now now;
    headway::heads::PromptPrints prompt;
    std::vector<headway::heads::Eviction> evictions; // of the last step
    std::uint64_t lastConnection = 100;
};

// Compares enumerations by the words of the spec, which the failure then shows.
#define COMPARE_WORD(actual, expected)                                                             \
    QCOMPARE(QString::fromStdString(std::string(name(actual))),                                    \
             QString::fromStdString(std::string(name(expected))))
