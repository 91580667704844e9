// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/planfields.h"

#include "proxy/core/json/document.h"

#include <algorithm>
#include <array>

namespace headway::dialects {

namespace {

constexpr std::array known{
    std::string_view("model"),
    std::string_view("instructions"),
    std::string_view("tools"),
    std::string_view("tool_choice"),
    std::string_view("reasoning"),
    std::string_view("parallel_tool_calls"),
    std::string_view("store"),
    std::string_view("stream"),
    std::string_view("stream_options"),
    std::string_view("include"),
    std::string_view("service_tier"),
    std::string_view("prompt_cache_key"),
    std::string_view("text"),
    std::string_view("generate"),
    std::string_view("client_metadata"),
    std::string_view("context_management"),
};

} // namespace

void keepFieldsOfPlan(TurnRequest &request)
{
    const std::string object = '{' + request.fields + '}';
    json::Document document;
    if (document.read(object))
        return;
    std::string kept = object;
    for (const json::Value member : document.root()) {
        if (std::find(known.begin(), known.end(), member.key()) != known.end())
            continue;
        const auto name = static_cast<std::size_t>(member.keyBody().data() - object.data()) - 1;
        const std::size_t end = member.offset() + member.raw().size();
        std::fill(kept.begin() + static_cast<std::ptrdiff_t>(name),
                  kept.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        // With it goes the comma behind it, or before it where it is the last.
        std::size_t comma = kept.find_first_not_of(" \t\r\n", end);
        if (kept[comma] != ',')
            comma = kept.find_last_not_of(" \t\r\n", name);
        if (kept[comma] == ',')
            kept[comma] = ' ';
    }
    std::copy(kept.begin() + 1, kept.end() - 1, request.fields.begin());
}

} // namespace headway::dialects
