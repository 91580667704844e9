// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/inputitems.h"

#include "proxy/core/dialects/assistantphases.h"
#include "proxy/core/dialects/itemids.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace headway::dialects {

namespace {

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

// Its members up to the brace that ends it.
class OpenItem final
{
public:
    OpenItem(std::string &object, std::string_view item)
        : m_object(object)
        , m_item(item)
    {
    }

    void putId(std::size_t place)
    {
        const std::string id = itemIdFor(m_item, place);
        if (id.empty())
            return;
        m_object += R"({"id":")" + id + "\",";
        m_written = 1;
    }

    // What stands in front of there, and then this.
    void put(std::size_t at, std::string_view what)
    {
        m_object += m_item.substr(m_written, at - m_written);
        m_object += what;
        m_written = at;
    }

    void end(std::string_view what)
    {
        put(m_item.size() - 1, what);
        m_object += m_item.substr(m_written);
    }

private:
    std::string &m_object;
    std::string_view m_item;
    std::size_t m_written = 0; // of the item
};

} // namespace

void appendItems(std::string &object, const TurnRequest &request, std::size_t from, ItemIds ids)
{
    const bool marked = request.sendsCacheMarks && request.text;
    const std::vector<CacheMark> marks
        = marked ? marksToSend(request, from) : std::vector<CacheMark>();
    auto mark = marks.begin();
    for (std::size_t i = from; i < request.input.size(); ++i) {
        if (i > from)
            object += ',';
        const std::string_view item = request.input[i];
        OpenItem open(object, item);
        if (ids == ItemIds::Given)
            open.putId(i);
        const auto plain = marked ? plainResult(request, item) : std::nullopt;
        if (plain)
            open.put(*plain, R"([{"type":"input_text","text":)");
        for (; mark != marks.end() && mark->item == i; ++mark)
            open.put(mark->at, cacheBreakpoint);
        const std::string_view phase
            = request.phases ? request.phases->of(request.identity, item) : std::string_view();
        if (plain)
            open.end("}]");
        else if (!phase.empty())
            open.end(std::string(R"(,"phase":")").append(phase) + '"');
        else
            open.end({});
    }
}

std::size_t itemsSize(const TurnRequest &request, std::size_t from)
{
    // The part around a plain result, which takes more than a phase, and the comma.
    constexpr std::size_t mostAround = 32;
    std::size_t size = mostBreakpoints * cacheBreakpoint.size();
    for (std::size_t i = from; i < request.input.size(); ++i)
        size += request.input[i].size() + mostAround;
    return size;
}

} // namespace headway::dialects
