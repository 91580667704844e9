// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/itemids.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <functional>

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

constexpr std::string_view cacheBreakpoint = R"(,"prompt_cache_breakpoint":{"mode":"explicit"})";
// The provider sets one more itself, at the end, and writes four at most (protocol notes 1.9).
constexpr std::size_t mostBreakpoints = 3;

struct CacheMark
{
    std::size_t item = 0;
    std::size_t at = 0; // in the item
};

// Where an item stands in the request's text; nothing for one that shaping put in its place.
std::optional<std::size_t> placeOf(const TurnRequest &request, std::string_view item)
{
    const char *const begin = request.text->data();
    if (std::less<>{}(item.data(), begin)
        || !std::less<>{}(item.data(), begin + request.text->size()))
        return std::nullopt;
    return static_cast<std::size_t>(item.data() - begin);
}

// The latest of the client's marks in the items from there on.
std::vector<CacheMark> marksToSend(const TurnRequest &request, std::size_t from)
{
    std::vector<CacheMark> marks;
    const std::vector<std::size_t> &all = request.wishes.cacheMarks;
    for (std::size_t i = from; i < request.input.size(); ++i) {
        const auto first = placeOf(request, request.input[i]);
        if (!first)
            continue;
        for (auto mark = std::lower_bound(all.begin(), all.end(), *first);
             mark != all.end() && *mark < *first + request.input[i].size(); ++mark)
            marks.push_back({i, *mark - *first});
    }
    if (marks.size() > mostBreakpoints)
        marks.erase(marks.begin(), marks.end() - mostBreakpoints);
    return marks;
}

// Where the string of a result stands that is one plain text; nothing for any other item.
std::optional<std::size_t> plainResult(const TurnRequest &request, std::string_view item)
{
    const auto first = placeOf(request, item);
    const std::vector<std::size_t> &all = request.wishes.plainResults;
    const auto found = first ? std::lower_bound(all.begin(), all.end(), *first) : all.end();
    if (found == all.end() || *found >= *first + item.size())
        return std::nullopt;
    return *found - *first;
}

void appendMarked(std::string &object, const TurnRequest &request, std::size_t from)
{
    const std::vector<CacheMark> marks = marksToSend(request, from);
    auto mark = marks.begin();
    for (std::size_t i = from; i < request.input.size(); ++i) {
        if (i > from)
            object += ',';
        const std::string_view item = request.input[i];
        std::size_t written = 0;
        const auto plain = plainResult(request, item);
        if (plain) {
            object += item.substr(0, *plain);
            object += R"([{"type":"input_text","text":)";
            written = *plain;
        }
        for (; mark != marks.end() && mark->item == i; ++mark) {
            object += item.substr(written, mark->at - written);
            object += cacheBreakpoint;
            written = mark->at;
        }
        object += item.substr(written, item.size() - 1 - written);
        object += plain ? "}]}" : "}";
    }
}

void appendItems(std::string &object, const TurnRequest &request, std::size_t from, bool withIds)
{
    if (request.sendsCacheMarks && request.text) {
        appendMarked(object, request, from);
        return;
    }
    for (std::size_t i = from; i < request.input.size(); ++i) {
        if (i > from)
            object += ',';
        if (withIds)
            appendWithId(object, request.input[i], i);
        else
            object += request.input[i];
    }
}

// `start`, fields, lane, chain, input: one JSON object.
std::string assemble(std::string_view start, const TurnRequest &request, std::size_t deltaFrom,
                     std::string_view previousResponseId, std::string_view lane,
                     bool withIds = false)
{
    std::size_t size = start.size() + request.fields.size() + previousResponseId.size()
        + lane.size() + 112 + mostBreakpoints * cacheBreakpoint.size();
    for (std::size_t i = deltaFrom; i < request.input.size(); ++i)
        size += request.input[i].size() + 1;
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
    appendItems(object, request, deltaFrom, withIds);
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
