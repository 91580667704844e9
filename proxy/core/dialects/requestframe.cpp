// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/inputitems.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <optional>

namespace headway::dialects {

namespace {

struct Span
{
    std::size_t begin = 0;
    std::size_t size = 0;
};

// Where the value of a top-level member stands in `fields`, or of a member of that one.
std::optional<Span> memberSpan(const std::string &fields, std::string_view name,
                               std::string_view inside = {})
{
    const std::string object = '{' + fields + '}';
    json::Document document;
    if (document.read(object))
        return std::nullopt;
    const json::Value member = document.root()[name];
    const json::Value value = inside.empty() ? member : member[inside];
    if (!value.exists())
        return std::nullopt;
    return Span{.begin = value.offset() - 1, .size = value.raw().size()};
}

void appendMember(std::string &fields, std::string_view name, std::string_view text)
{
    fields += fields.empty() ? "" : ",";
    json::appendQuoted(fields, name);
    fields += ':';
    json::appendQuoted(fields, text);
}

// `start`, fields, lane, chain, input: one JSON object.
std::string assemble(std::string_view start, const TurnRequest &request, std::size_t deltaFrom,
                     std::string_view previousResponseId, std::string_view lane,
                     bool withIds = false)
{
    const std::size_t size = start.size() + request.fields.size() + previousResponseId.size()
        + lane.size() + 112 + itemsSize(request, deltaFrom);
    std::string object;
    object.reserve(size);
    object += start;
    if (!request.fields.empty())
        object += ',';
    object += request.fields;
    if (!lane.empty()) {
        object += ",\"stream_id\":";
        json::appendQuoted(object, lane);
    }
    if (!previousResponseId.empty()) {
        object += ",\"previous_response_id\":";
        json::appendQuoted(object, previousResponseId);
    }
    object += ",\"input\":[";
    appendItems(object, request, deltaFrom, withIds ? ItemIds::Given : ItemIds::AsTheyAre);
    object += "]}";
    return object;
}

} // namespace

void setModel(TurnRequest &request, std::string_view upstreamModel)
{
    request.model = upstreamModel;
    if (const auto span = memberSpan(request.fields, "model"))
        request.fields.replace(span->begin, span->size, json::literal(upstreamModel));
    else
        appendMember(request.fields, "model", upstreamModel);
}

void setEffort(TurnRequest &request, std::string_view effort)
{
    request.effort = effort;
    if (const auto span = memberSpan(request.fields, "reasoning", "effort"))
        request.fields.replace(span->begin, span->size, json::literal(effort));
}

void setCacheKey(TurnRequest &request, std::string_view key)
{
    if (!memberSpan(request.fields, "prompt_cache_key"))
        appendMember(request.fields, "prompt_cache_key", key);
}

std::string createFrame(const TurnRequest &request, std::size_t deltaFrom,
                        std::string_view previousResponseId, std::string_view lane)
{
    return assemble(R"({"type":"response.create")", request, deltaFrom, previousResponseId, lane);
}

std::string postBody(const TurnRequest &request)
{
    if (!memberSpan(request.fields, "stream"))
        return assemble(R"({"stream":true)", request, 0, request.previousResponseId, {},
                        request.postsItemIds);
    std::string body
        = assemble("{", request, 0, request.previousResponseId, {}, request.postsItemIds);
    body.erase(1, 1); // the comma before the first field
    return body;
}

} // namespace headway::dialects
