// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/itemids.h"

#include "proxy/core/base/fingerprint.h"
#include "proxy/core/json/document.h"

#include <array>
#include <cstdio>

namespace headway::dialects {

namespace {

std::string_view prefixFor(const json::Value &item)
{
    const json::Value type = item["type"];
    if (type.is("message"))
        return item["role"].is("assistant") ? "msg_" : "";
    if (type.is("function_call"))
        return "fc_";
    if (type.is("custom_tool_call"))
        return "ctc_";
    return type.is("reasoning") ? "rs_" : "";
}

} // namespace

std::string itemIdFor(std::string_view item, std::size_t place)
{
    json::Document document;
    if (document.read(item) || document.root()["id"].isString())
        return {};
    const std::string_view prefix = prefixFor(document.root());
    if (prefix.empty())
        return {};
    const base::Fingerprint print = base::fingerprint(item, place);
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx%016llx",
                  static_cast<unsigned long long>(print.high),
                  static_cast<unsigned long long>(print.low));
    return std::string(prefix) + digits.data();
}

} // namespace headway::dialects
