// SPDX-License-Identifier: GPL-3.0-or-later
// The writers of the four doors: whatever a provider sends, a line to a frame, each record that a
// client gets is whole and JSON, and so is each item that it may send back.
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/upstreamevent.h"
#include "proxy/core/pacing/quota.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/validjson.h"

using namespace headway;
using dialects::Door;

namespace {

const char *const messages = R"({"model":"m","max_tokens":9,"stream":true,
    "tools":[{"name":"f","input_schema":{"type":"object","properties":{"a":{"type":"string"}}}}],
    "messages":[{"role":"user","content":"hi"}]})";
const char *const create = R"({"type":"response.create","model":"m","stream":true,"input":"hi"})";
const char *const responses = R"({"model":"m","stream":true,"input":"hi"})";
const char *const chat
    = R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]})";

dialects::TurnRequest request(Door door)
{
    const auto body = [](const char *text) { return std::make_shared<const std::string>(text); };
    switch (door) {
    case Door::Messages:
        return dialects::readMessages(body(messages), {}).value();
    case Door::ChatCompletions:
        return dialects::readChatCompletions(body(chat), {}).value();
    case Door::ResponsesSocket:
        return dialects::readResponses(body(create), {}, door).value();
    default:
        return dialects::readResponses(body(responses), {}, door).value();
    }
}

void requireJson(std::string_view text)
{
    simdjson::dom::parser parser;
    REQUIRE(fuzz::parsed(parser, text).error() == simdjson::SUCCESS);
}

// The data lines of an event stream; a record is closed by an empty line.
void requireRecords(std::string_view out)
{
    REQUIRE(out.empty() || out.ends_with("\n\n"));
    while (!out.empty()) {
        const std::string_view line = out.substr(0, out.find('\n'));
        out.remove_prefix(line.size() + 1);
        if (line.starts_with("data: ") && line != "data: [DONE]")
            requireJson(line.substr(6));
        else
            REQUIRE(line.empty() || line.starts_with("event: ") || line.starts_with(":")
                    || line == "data: [DONE]");
    }
}

void requireMessages(std::string_view out)
{
    REQUIRE(out.empty() || out.back() == dialects::messageEnd);
    while (!out.empty()) {
        const std::size_t end = out.find(dialects::messageEnd);
        requireJson(out.substr(0, end));
        out.remove_prefix(end + 1);
    }
}

void play(Door door, std::string_view lines)
{
    const dialects::TurnRequest asked = request(door);
    const auto writer = dialects::makeReplyWriter(asked, base::TurnId{1});
    dialects::EventReader reader;
    std::string out;
    bool ended = false;
    while (!lines.empty() && !ended) {
        const std::string frame(lines.substr(0, lines.find('\n')));
        lines.remove_prefix(std::min(lines.size(), frame.size() + 1));
        const auto event = reader.read(frame, frame.size(), {});
        if (!event)
            continue;
        ended = event->isTerminal();
        if (event->type != dialects::EventType::Error && event->type != dialects::EventType::Failed)
            writer->event(*event, out);
        else if (event->error)
            writer->fail(*event->error, out);
    }
    if (door == Door::ResponsesSocket)
        requireMessages(out);
    else
        requireRecords(out);
    for (const std::string &item : writer->echoedItems())
        requireJson(item);
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string_view lines(reinterpret_cast<const char *>(data), size);
    for (const Door door :
         {Door::Messages, Door::Responses, Door::ResponsesSocket, Door::ChatCompletions})
        play(door, lines);
    pacing::Quota quota;
    (void)quota.readEvent(lines.substr(0, lines.find('\n')), {});
    return 0;
}
