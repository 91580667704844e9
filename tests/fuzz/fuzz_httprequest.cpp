// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP path from clients: a request means the same in whatever pieces it comes, and what is
// coded is decoded within its limits.
#include "proxy/net/listener/bodydecoder.h"
#include "proxy/net/listener/requestparser.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/require.h"

using namespace headway;
using headway::tests::CutText;
using headway::tests::Pieces;

namespace {

constexpr std::size_t mostDecoded = std::size_t{1} << 20U;

struct Body final : net::BodySink
{
    std::optional<net::Refusal> bodyArrived(std::string_view bytes) override
    {
        text += bytes;
        return {};
    }
    std::string text;
};

// What a connection makes of its bytes, in words.
std::string read(std::string_view text, std::string_view lengths)
{
    Body body;
    net::RequestParser parser(body);
    std::string story;
    std::string rest; // not consumed yet
    Pieces pieces(text, lengths);
    bool asksAgain = false;
    while (asksAgain || !pieces.isEmpty()) {
        if (!asksAgain)
            rest += pieces.next();
        const net::RequestParser::Step step = parser.next(rest);
        REQUIRE(step.consumed <= rest.size());
        rest.erase(0, step.consumed);
        using Event = net::RequestParser::Event;
        asksAgain = step.event == Event::HeadComplete
            || (step.event == Event::MessageComplete && !rest.empty());
        if (step.event == Event::Failed) {
            REQUIRE(parser.refusal().status >= 400);
            return story + " refused"; // which of two faults is told first may depend on a cut
        }
        if (step.event == Event::HeadComplete) {
            const net::RequestHead &head = parser.head();
            story += head.method + ' ' + head.target;
            for (const auto &[name, value] : head.headers)
                story += '\n' + name + ": " + value;
            story += head.keepAlive ? "\nkept" : "\nclosed";
        }
        if (step.event == Event::MessageComplete)
            story += '\n' + std::exchange(body.text, {}) + '.';
    }
    return story;
}

void decode(std::string_view coding, std::string_view text, std::string_view lengths)
{
    const auto decoder = net::makeBodyDecoder(coding);
    REQUIRE(decoder.has_value());
    std::size_t decoded = 0;
    Pieces pieces(text, lengths);
    using Verdict = net::BodyDecoder::Verdict;
    for (Verdict verdict = Verdict::Good; verdict == Verdict::Good && !pieces.isEmpty();)
        verdict = (*decoder)->decode(pieces.next(), [&decoded](std::string_view bytes) {
            decoded += bytes.size();
            return decoded <= mostDecoded;
        });
    REQUIRE(decoded <= mostDecoded + (std::size_t{1} << 20U)); // a piece is bounded too
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const CutText input(data, size);
    REQUIRE(read(input.text, {}) == read(input.text, input.lengths));
    for (const std::string_view coding : {"gzip", "deflate", "zstd"})
        decode(coding, input.text, input.lengths);
    return 0;
}
