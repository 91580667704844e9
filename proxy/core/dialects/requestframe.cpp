// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

struct Span
{
    std::size_t begin = 0;
    std::size_t size = 0;
};

// Where the value of a top-level member stands in `fields`.
std::optional<Span> memberSpan(const std::string &fields, std::string_view name)
{
    const std::string object = '{' + fields + '}';
    json::Document document;
    if (document.read(object))
        return std::nullopt;
    const json::Value value = document.root()[name];
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

} // namespace

void setModel(TurnRequest &request, std::string_view upstreamModel)
{
    request.model = upstreamModel;
    if (const auto span = memberSpan(request.fields, "model"))
        request.fields.replace(span->begin, span->size, json::literal(upstreamModel));
    else
        appendMember(request.fields, "model", upstreamModel);
}

void setCacheKey(TurnRequest &request, std::string_view key)
{
    if (!memberSpan(request.fields, "prompt_cache_key"))
        appendMember(request.fields, "prompt_cache_key", key);
}

std::string createFrame(const TurnRequest &request, std::size_t deltaFrom,
                        std::string_view previousResponseId, std::string_view lane)
{
    std::size_t size = request.fields.size() + previousResponseId.size() + lane.size() + 112;
    for (std::size_t i = deltaFrom; i < request.input.size(); ++i)
        size += request.input[i].size() + 1;
    std::string frame;
    frame.reserve(size);
    frame += R"({"type":"response.create")";
    if (!request.fields.empty())
        frame += ',';
    frame += request.fields;
    if (!lane.empty()) {
        frame += ",\"stream_id\":";
        json::appendQuoted(frame, lane);
    }
    if (!previousResponseId.empty()) {
        frame += ",\"previous_response_id\":";
        json::appendQuoted(frame, previousResponseId);
    }
    frame += ",\"input\":[";
    for (std::size_t i = deltaFrom; i < request.input.size(); ++i) {
        if (i > deltaFrom)
            frame += ',';
        frame += request.input[i];
    }
    frame += "]}";
    return frame;
}

} // namespace headway::dialects
