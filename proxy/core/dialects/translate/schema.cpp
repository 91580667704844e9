// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/schema.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headway::dialects {

namespace {

using json::Value;

constexpr std::array<std::string_view, 5> maps{"properties", "patternProperties", "$defs",
                                               "definitions", "dependentSchemas"};
constexpr std::array<std::string_view, 4> verbatim{"enum", "const", "default", "examples"};
constexpr std::array<std::string_view, 3> choices{"anyOf", "oneOf", "allOf"};

template <std::size_t N>
bool isOneOf(const Value &member, const std::array<std::string_view, N> &names)
{
    return std::any_of(names.begin(), names.end(),
                       [&member](std::string_view name) { return member.keyIs(name); });
}

// Balanced groups and classes, no dangling escape, nothing to repeat missing: what every regular
// expression dialect asks for. Finer differences between dialects are not ours to judge.
bool looksLikePattern(std::string_view pattern)
{
    int groups = 0;
    bool inClass = false;
    bool canRepeat = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '\\') {
            if (++i == pattern.size())
                return false;
            canRepeat = true;
        } else if (inClass) {
            inClass = c != ']';
        } else if (c == '[') {
            inClass = true;
            canRepeat = true;
        } else if (c == '(') {
            ++groups;
            canRepeat = false;
            if (pattern.substr(i + 1).starts_with('?'))
                ++i;
        } else if (c == ')') {
            if (--groups < 0)
                return false;
            canRepeat = true;
        } else if (c == '*' || c == '+' || c == '?') {
            if (!canRepeat)
                return false;
        } else {
            canRepeat = c != '|';
        }
    }
    return groups == 0 && !inClass;
}

bool isBroken(const Value &member)
{
    if (member.keyIs("required"))
        return !member.isArray();
    if (member.keyIs("type") || member.keyIs("description") || member.keyIs("items")
        || member.keyIs("additionalProperties") || isOneOf(member, maps)
        || isOneOf(member, choices))
        return member.isNull();
    if (member.keyIs("pattern"))
        return !member.isString() || !looksLikePattern(member.text());
    return false;
}

bool needsRepair(const Value &schema)
{
    if (schema.isArray())
        return std::any_of(schema.begin(), schema.end(), needsRepair);
    if (!schema.isObject())
        return false;
    for (const Value &member : schema) {
        if (isBroken(member))
            return true;
        if (isOneOf(member, verbatim))
            continue;
        const bool inside = isOneOf(member, maps)
            ? std::any_of(member.begin(), member.end(), needsRepair)
            : needsRepair(member);
        if (inside)
            return true;
    }
    return false;
}

void appendKey(std::string &out, std::string_view keyBody)
{
    if (out.back() != '{')
        out += ',';
    out += '"';
    out += keyBody;
    out += "\":";
}

void appendRepaired(std::string &out, const Value &schema);

void appendMap(std::string &out, const Value &map)
{
    out += '{';
    for (const Value &member : map) {
        appendKey(out, member.keyBody());
        appendRepaired(out, member);
    }
    out += '}';
}

void appendMember(std::string &out, const Value &member)
{
    if (isBroken(member))
        return;
    appendKey(out, member.keyBody());
    if (isOneOf(member, verbatim))
        out += member.raw();
    else if (isOneOf(member, maps) && member.isObject())
        appendMap(out, member);
    else
        appendRepaired(out, member);
}

void appendRepaired(std::string &out, const Value &schema)
{
    if (!needsRepair(schema)) {
        out += schema.raw();
    } else if (schema.isArray()) {
        out += '[';
        for (const Value &element : schema) {
            if (out.back() != '[')
                out += ',';
            appendRepaired(out, element);
        }
        out += ']';
    } else {
        out += '{';
        for (const Value &member : schema)
            appendMember(out, member);
        out += '}';
    }
}

// Properties of the schema and of its top-level choices; the first of a name counts.
void appendProperties(std::string &out, const Value &schema)
{
    std::vector<std::string_view> seen;
    const auto add = [&](const Value &properties) {
        for (const Value &property : properties) {
            if (std::find(seen.begin(), seen.end(), property.keyBody()) != seen.end())
                continue;
            seen.push_back(property.keyBody());
            appendKey(out, property.keyBody());
            appendRepaired(out, property);
        }
    };
    out += '{';
    if (schema["properties"].isObject())
        add(schema["properties"]);
    for (const std::string_view choice : choices) {
        for (const Value &branch : schema[choice]) {
            if (branch["properties"].isObject())
                add(branch["properties"]);
        }
    }
    out += '}';
}

bool isReadyAsIs(const Value &schema)
{
    const auto hasChoice = [&schema](std::string_view name) { return schema[name].exists(); };
    return schema["type"].is("object") && schema["properties"].isObject()
        && std::none_of(choices.begin(), choices.end(), hasChoice) && !needsRepair(schema);
}

} // namespace

void appendParameters(std::string &out, json::Value schema)
{
    if (schema.isObject() && isReadyAsIs(schema)) {
        out += schema.raw();
        return;
    }
    out += R"({"type":"object","properties":)";
    appendProperties(out, schema);
    for (const Value &member : schema) {
        if (!schema.isObject() || member.keyIs("type") || member.keyIs("properties")
            || isOneOf(member, choices))
            continue;
        appendMember(out, member);
    }
    out += '}';
}

std::vector<std::string> optionalProperties(json::Value schema)
{
    std::vector<std::string> names;
    const Value required = schema["required"];
    for (const Value &property : schema["properties"]) {
        const std::string name = property.key();
        const bool isRequired = required.isArray()
            && std::any_of(required.begin(), required.end(),
                           [&](Value entry) { return entry.is(name); });
        if (!isRequired && !property["default"].exists())
            names.emplace_back(property.keyBody());
    }
    return names;
}

bool fitsStrictMode(json::Value schema)
{
    if (schema.isArray())
        return std::all_of(schema.begin(), schema.end(), fitsStrictMode);
    if (!schema.isObject())
        return true;
    if (schema["properties"].isObject() || schema["type"].is("object")) {
        const auto closed = schema["additionalProperties"].boolean();
        if (!closed || *closed || !schema["properties"].isObject())
            return false;
        const Value required = schema["required"];
        for (const Value &property : schema["properties"]) {
            const std::string name = property.key();
            if (!required.isArray()
                || std::none_of(required.begin(), required.end(),
                                [&](Value entry) { return entry.is(name); }))
                return false;
        }
    }
    return std::all_of(schema.begin(), schema.end(), [](const Value &member) {
        if (isOneOf(member, verbatim))
            return true;
        return isOneOf(member, maps) ? std::all_of(member.begin(), member.end(), fitsStrictMode)
                                     : fitsStrictMode(member);
    });
}

} // namespace headway::dialects
