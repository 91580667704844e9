// SPDX-License-Identifier: GPL-3.0-or-later
// CPU time to match a conversation of 1 200 items and 3 MB against its head, as the engine does it
// for every turn: print the items, look up the tool schemas, scan. Prints `name value unit` lines.
#include "proxy/core/heads/pool.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace headway::heads;

constexpr std::size_t items = 1'200;
constexpr std::size_t bytesPerItem = 2'600;
constexpr int rounds = 50;

double cpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::string item(std::size_t index)
{
    const std::string number = std::to_string(index);
    const std::string text(bytesPerItem - 100, 'x');
    switch (index % 4) {
    case 0:
        return R"({"type":"reasoning","summary":[],"encrypted_content":")" + number + text + "\"}";
    case 1:
        return R"({"type":"function_call","call_id":"c)" + number
            + R"(","name":"edit","arguments":"{\"path\":\"p)" + number
            + R"(\",\"replace_all\":false,\"new_string\":\")" + text + R"(\"}"})";
    case 2:
        return R"({"type":"function_call_output","call_id":"c)" + number + R"(","output":")" + text
            + "\"}";
    default:
        return R"({"type":"message","role":"user","content":[{"type":"input_text","text":")"
            + number + text + "\"}]}";
    }
}

std::string toolText()
{
    std::string tools = "[";
    for (int i = 0; i < 60; ++i)
        tools += R"({"type":"function","name":"tool)" + std::to_string(i) + R"(","description":")"
            + std::string(1'500, 'd') + R"(","parameters":{"type":"object","properties":{)"
            + R"("a":{"type":"string"},"b":{"type":"number","default":5}},"required":["a"]}},)";
    return tools
        + R"({"type":"function","name":"edit","parameters":{"type":"object","properties":{)"
        + R"("path":{"type":"string"},"replace_all":{"type":"boolean","default":false}}}}])";
}

struct Bench
{
    ItemPrinter printer{1};
    HeadPool pool{PoolSettings{}, 1};
    headway::base::Now now;
    std::string tools = toolText();

    // One turn's matching, as a whole.
    double match(const std::vector<std::string_view> &input, ScanResult &result)
    {
        const double from = cpuMs();
        const std::vector<ItemPrint> prints = printer.prints(input);
        ScanRequest request;
        request.key = PartitionKey{std::string("agent")};
        request.input = prints;
        request.schemas = printer.schemas(tools);
        result = pool.scan(request, now);
        const double took = cpuMs() - from;
        if (result.decision != Decision::Continuation) {
            const auto opened = pool.open(request, Decision::NewPartitionHead,
                                          headway::base::ConnectionId{1}, now);
            (void)pool.complete(opened.head, {.responseId = "r", .echoed = {}}, now);
        }
        return took;
    }
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main()
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < items + 2 + rounds; ++i)
        texts.push_back(item(i));
    std::vector<std::string_view> input(texts.begin(), texts.begin() + items);
    std::size_t bytes = 0;
    for (const std::string_view text : input)
        bytes += text.size();
    std::printf("matching_items %zu items\nmatching_bytes %zu B\n", items, bytes);
    Bench bench;
    ScanResult result;
    std::printf("matching_first_seen %.3f ms\n", bench.match(input, result));
    std::vector<double> known;
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<std::string_view> longer = input;
        longer.push_back(texts[items + round]); // never seen before
        known.push_back(bench.match(longer, result));
        if (result.decision != Decision::Continuation || result.deltaFrom != items) {
            std::fputs("bench_matching: the head was not continued\n", stderr);
            return 1;
        }
    }
    std::printf("matching_known_head %.3f ms\n", median(known));
    return 0;
}
