// SPDX-License-Identifier: GPL-3.0-or-later
// The frame path: what a provider sends (WebSocket frames, HTTP answers, event streams) means the
// same in whatever pieces it comes, and what is handed on is whole.
#include "proxy/core/dialects/eventstream.h"
#include "proxy/net/upstream/framereader.h"
#include "proxy/net/upstream/httpreplyreader.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/require.h"

#include <cstring>
#include <simdjson.h>

using namespace headway;
using headway::tests::CutText;
using headway::tests::Pieces;

namespace {

constexpr std::size_t mostMessageBytes = 4096;

std::string frames(std::string_view text, std::string_view lengths)
{
    using Kind = net::FrameReader::Kind;
    net::FrameReader reader(mostMessageBytes);
    std::string story;
    Pieces pieces(text, lengths);
    while (!pieces.isEmpty()) {
        const std::string piece(pieces.next()); // gone when the next one comes
        reader.feed(piece);
        while (true) {
            const net::FrameReader::Event event = reader.next();
            if (event.kind == Kind::NeedMore)
                break;
            story += std::to_string(static_cast<int>(event.kind)) + ' ';
            story += std::to_string(event.code) + ' ' + std::string(event.payload) + '\n';
            if (event.kind == Kind::Text) {
                REQUIRE(event.payload.size() <= mostMessageBytes);
                REQUIRE(event.capacity >= event.payload.size() + net::FrameReader::padding);
                REQUIRE(simdjson::validate_utf8(event.payload.data(), event.payload.size()));
            }
            if (event.kind == Kind::Close || event.kind == Kind::Broken)
                return story;
        }
        reader.keepRest();
    }
    return story;
}

std::string reply(std::string_view text, std::string_view lengths)
{
    using Progress = net::HttpReplyReader::Progress;
    net::HttpReplyReader reader;
    Progress progress = Progress::NeedMore;
    std::string body;
    std::size_t unread = 0;
    Pieces pieces(text, lengths);
    while (!pieces.isEmpty() && progress == Progress::NeedMore) {
        progress = reader.feed(pieces.next());
        body += reader.takeBody();
        unread = reader.rest().size();
    }
    while (!pieces.isEmpty())
        unread += pieces.next().size();
    if (progress == Progress::NeedMore) {
        progress = reader.finish();
        body += reader.takeBody();
    }
    if (progress == Progress::Broken)
        return "broken";
    std::string story = std::to_string(static_cast<int>(progress)) + ' ' + body;
    story += '\n' + std::to_string(reader.head().status) + ' ' + std::to_string(unread);
    for (const auto &[name, value] : reader.head().headers)
        story += '\n' + name + ": " + value;
    return story;
}

std::string eventStream(std::string_view text, std::string_view lengths)
{
    dialects::EventStreamReader reader(mostMessageBytes);
    std::string story;
    Pieces pieces(text, lengths);
    while (!pieces.isEmpty() && !reader.isTooLarge()) {
        std::string_view piece = pieces.next();
        while (const auto event = reader.next(piece)) {
            REQUIRE(event->data.size() <= mostMessageBytes);
            REQUIRE(event->capacity >= event->data.size() + dialects::EventStreamReader::padding);
            story += std::string(event->name) + ": " + std::string(event->data) + '\n';
        }
    }
    return story + (reader.isTooLarge() ? "too large" : "");
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const CutText input(data, size);
    REQUIRE(frames(input.text, {}) == frames(input.text, input.lengths));
    REQUIRE(reply(input.text, {}) == reply(input.text, input.lengths));
    REQUIRE(eventStream(input.text, {}) == eventStream(input.text, input.lengths));
    return 0;
}
