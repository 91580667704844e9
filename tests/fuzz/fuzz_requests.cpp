// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of the four doors: whatever a client sends is refused in words or becomes a frame
// that is JSON, says what it must, and holds each item that the request is said to have.
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/turnrequest.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/validjson.h"

using namespace headway;
using dialects::Door;

namespace {

tl::expected<dialects::TurnRequest, dialects::TurnError>
read(Door door, const std::shared_ptr<const std::string> &body)
{
    switch (door) {
    case Door::Messages:
        return dialects::readMessages(body, {});
    case Door::ChatCompletions:
        return dialects::readChatCompletions(body, {});
    default:
        return dialects::readResponses(body, {}, door);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const auto body
        = std::make_shared<const std::string>(reinterpret_cast<const char *>(data), size);
    simdjson::dom::parser parser;
    for (const Door door :
         {Door::Messages, Door::Responses, Door::ResponsesSocket, Door::ChatCompletions})
    {
        auto request = read(door, body);
        if (!request) {
            REQUIRE(!request.error().message.empty());
            REQUIRE(simdjson::validate_utf8(request.error().message));
            continue;
        }
        dialects::setModel(*request, "a \"model\"");
        dialects::setCacheKey(*request, "key");
        const std::string frame = dialects::createFrame(*request, 0, "resp_1", "lane");
        simdjson::dom::element root;
        REQUIRE(fuzz::parsed(parser, frame).get(root) == simdjson::SUCCESS);
        std::string_view text;
        REQUIRE(root["type"].get(text) == simdjson::SUCCESS && text == "response.create");
        REQUIRE(root["model"].get(text) == simdjson::SUCCESS && text == "a \"model\"");
        simdjson::dom::array input;
        REQUIRE(root["input"].get(input) == simdjson::SUCCESS);
        REQUIRE(input.size() == request->input.size() || input.size() == 0xFFFFFF);
        REQUIRE(fuzz::parsed(parser, dialects::postBody(*request)).error() == simdjson::SUCCESS);
    }
    (void)dialects::countTokens(*body);
    return 0;
}
