// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/identity.h"
#include "proxy/core/dialects/requestbody.h"
#include "proxy/core/dialects/tokenestimate.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/document.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace headway::dialects {

namespace {

using json::Value;

// Ours to say in the frame, or meaningless there.
constexpr std::array<std::string_view, 6> left{"type",   "input",      "previous_response_id",
                                               "stream", "background", "stream_id"};

TurnError invalid(std::string_view path, std::string_view what)
{
    TurnError error;
    error.kind = ErrorKind::InvalidRequest;
    error.type = "invalid_request_error";
    error.param = path;
    error.message = std::string(path) + ": " + std::string(what);
    return error;
}

bool isAbsent(const Value &value)
{
    return !value.exists() || value.isNull();
}

std::optional<TurnError> typeFault(const Value &request, Door door)
{
    if (door == Door::ResponsesSocket && !request["type"].is("response.create"))
        return invalid("type", "only response.create is supported");
    if (!isAbsent(request["stream_id"]))
        return invalid("stream_id", "unknown parameter: one response at a time per connection");
    if (!request["model"].isString() || request["model"].body().empty())
        return invalid("model", request["model"].exists() ? "expected a string" : "field required");
    const Value input = request["input"];
    if (!isAbsent(input) && !input.isString() && !input.isArray())
        return invalid("input", "expected a string or an array");
    std::size_t index = 0;
    for (const Value &item : input) {
        if (!item.isObject())
            return invalid("input[" + std::to_string(index) + "]", "expected an object");
        ++index;
    }
    for (const std::string_view name : {"stream", "generate"}) {
        if (!isAbsent(request[name]) && !request[name].boolean())
            return invalid(name, "expected true or false");
    }
    const Value previous = request["previous_response_id"];
    if (!isAbsent(previous) && !previous.isString())
        return invalid("previous_response_id", "expected a string");
    return std::nullopt;
}

// Where the last member of each name stands: the one that was read, in a request that has two.
std::unordered_map<std::string, std::size_t> lastMembers(const Value &request)
{
    std::unordered_map<std::string, std::size_t> last;
    for (const Value &member : request)
        last[member.key()] = member.offset();
    return last;
}

// Members other than those that are ours, as the client wrote them; the reply is always streamed.
// Of two with one name the first is left out: the provider may go by that one.
std::string fieldsOf(const Value &request)
{
    std::string fields;
    const auto last = lastMembers(request);
    for (const Value &member : request) {
        if (last.at(member.key()) != member.offset())
            continue;
        const bool ours = std::any_of(left.begin(), left.end(), [&member](std::string_view name) {
            return member.keyIs(name);
        });
        if (ours || (member.keyIs("generate") && member.boolean().value_or(true)))
            continue;
        fields += '"';
        fields += member.keyBody();
        fields += "\":";
        fields += member.raw();
        fields += ',';
    }
    fields += "\"stream\":true";
    return fields;
}

bool isUserText(const Value &item)
{
    if (!item["role"].is("user") || !(isAbsent(item["type"]) || item["type"].is("message")))
        return false;
    const Value content = item["content"];
    if (content.isString())
        return !content.body().empty();
    return std::any_of(content.begin(), content.end(), [](const Value &part) {
        return part["type"].is("input_text") && !part["text"].body().empty();
    });
}

// Developer items behind the user's words are the client's own notes.
bool endsWithUserText(const Value &input)
{
    if (input.isString())
        return !input.body().empty();
    bool userText = false;
    for (const Value &item : input) {
        if (!item["role"].is("developer") && !item["role"].is("system"))
            userText = isUserText(item);
    }
    return userText;
}

// The item that a plain string stands for.
std::string messageOf(const Value &input)
{
    std::string item = R"({"type":"message","role":"user","content":[{"type":"input_text","text":)";
    item += input.raw();
    item += "}]}";
    return item;
}

void takeInput(TurnRequest &request, const Value &input,
               const std::shared_ptr<const std::string> &body)
{
    request.text = body;
    if (input.isArray()) {
        for (const Value &item : input)
            request.input.push_back(item.raw());
        return;
    }
    if (!input.isString() || input.body().empty())
        return;
    // The item is not in the body: it goes behind a copy of it, so that one text holds all views.
    auto text = std::make_shared<std::string>(*body);
    *text += messageOf(input);
    request.text = text;
    request.input.push_back(std::string_view(*text).substr(body->size()));
}

std::string_view viewIn(const std::string &text, const Value &value)
{
    return isAbsent(value) ? std::string_view()
                           : std::string_view(text).substr(value.offset(), value.raw().size());
}

} // namespace

tl::expected<TurnRequest, TurnError> readResponses(std::shared_ptr<const std::string> body,
                                                   const ClientHeaders &headers, Door door)
{
    json::Document document;
    if (auto error = readBody(document, *body))
        return tl::make_unexpected(std::move(*error));
    const Value root = document.root();
    if (auto error = typeFault(root, door))
        return tl::make_unexpected(std::move(*error));
    TurnRequest request;
    request.door = door;
    request.stream = door == Door::ResponsesSocket || root["stream"].boolean().value_or(false);
    request.generate = root["generate"].boolean().value_or(true);
    request.modelAsked = root["model"].text();
    request.model = request.modelAsked;
    request.effort = root["reasoning"]["effort"].text();
    request.identity = responsesIdentity(root, headers);
    request.fields = fieldsOf(root);
    takeInput(request, root["input"], body);
    request.previousResponseId = root["previous_response_id"].text();
    request.instructions = viewIn(*request.text, root["instructions"]);
    request.tools = viewIn(*request.text, root["tools"]);
    request.interactive = !request.identity.session.empty() && request.identity.agent.empty()
        && request.generate && endsWithUserText(root["input"]);
    request.estimatedInputTokens = estimateRequest(root, Care::Sampled);
    return request;
}

} // namespace headway::dialects
