// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/controls.h"

#include "proxy/core/dialects/translate/schema.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headway::dialects {

namespace {

using json::Value;

constexpr std::string_view billingLine = "x-anthropic-billing-header:";
constexpr std::string_view joint = "\\n\\n"; // escaped

// The client's accounting changes from request to request and says nothing to the model.
std::string_view withoutBilling(std::string_view body, bool isBlock)
{
    if (!body.starts_with(billingLine))
        return body;
    const std::size_t lineEnd = isBlock ? std::string_view::npos : body.find("\\n");
    return lineEnd == std::string_view::npos ? std::string_view() : body.substr(lineEnd + 2);
}

void addSystemText(std::string &out, std::string_view body)
{
    if (body.empty())
        return;
    out += out.empty() ? std::string_view("\"") : joint;
    out += body;
}

// Budgets of the older form, as bands of effort.
std::string effortOfBudget(std::int64_t tokens)
{
    if (tokens <= 4096)
        return "low";
    return tokens <= 16384 ? "medium" : "high";
}

} // namespace

std::string instructionsOf(json::Value system, Complaint &complaint)
{
    std::string out;
    if (system.isString()) {
        addSystemText(out, withoutBilling(system.body(), false));
    } else if (system.isArray()) {
        std::size_t index = 0;
        for (const Value &block : system) {
            const Value text = block["text"];
            if (block["type"].is("text") && text.isString())
                addSystemText(out, withoutBilling(text.body(), true));
            else
                complaint.add("system[" + std::to_string(index) + "]", "expected a text block");
            ++index;
        }
    } else if (system.exists() && !system.isNull()) {
        complaint.add("system", "expected a string or an array of text blocks");
    }
    if (!out.empty())
        out += '"';
    return out;
}

std::string effortOf(json::Value request)
{
    constexpr std::array<std::string_view, 7> words{"none", "minimal", "low", "medium",
                                                    "high", "xhigh",   "max"};
    const std::string asked = request["output_config"]["effort"].text();
    if (asked == "ultra") // as the provider's own client says it
        return "max";
    if (std::find(words.begin(), words.end(), asked) != words.end())
        return asked;
    const Value thinking = request["thinking"];
    if (thinking["type"].is("disabled"))
        return "none";
    const auto budget = thinking["budget_tokens"].integer();
    return thinking["type"].is("enabled") && budget ? effortOfBudget(*budget) : std::string();
}

std::string reasoningOf(json::Value request, const std::string &effort, ReplyContext &context)
{
    const Value thinking = request["thinking"];
    context.showsThinking
        = thinking["type"].isString() && !thinking["type"].is("disabled") && effort != "none";
    context.showsSummary = context.showsThinking && !thinking["display"].is("omitted");
    if (effort.empty() && !context.showsSummary)
        return {};
    std::string out = "{";
    if (!effort.empty())
        out += "\"effort\":" + json::literal(effort);
    if (context.showsSummary)
        out += std::string(effort.empty() ? "" : ",") + R"("summary":"auto")";
    out += '}';
    return out;
}

std::string textFormatOf(json::Value request)
{
    Value format = request["output_config"]["format"];
    if (!format.isObject())
        format = request["output_format"];
    const Value schema = format["schema"];
    if (!format["type"].is("json_schema") || !schema.isObject())
        return {};
    std::string out = R"({"format":{"type":"json_schema","name":"output","schema":)";
    out += schema.raw();
    out += fitsStrictMode(schema) ? R"(,"strict":true}})" : R"(,"strict":false}})";
    return out;
}

void readStopSequences(json::Value request, ReplyContext &context, Complaint &complaint)
{
    const Value stops = request["stop_sequences"];
    if (!stops.exists() || stops.isNull())
        return;
    if (!stops.isArray())
        complaint.add("stop_sequences", "expected an array of strings");
    std::size_t index = 0;
    for (const Value &stop : stops) {
        if (!stop.isString())
            complaint.add("stop_sequences[" + std::to_string(index) + "]", "expected a string");
        else if (!stop.body().empty())
            context.stopSequences.push_back(stop.text());
        ++index;
    }
}

} // namespace headway::dialects
