// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/settings.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace headway::settings {

namespace {

// What became of one text: its canonical form, or the reason why there is none.
struct Reading
{
    std::optional<std::string> canonical;
    std::string complaint; // empty: nothing to say
};

constexpr std::size_t longestQuotation = 60;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t from = text.find_first_not_of(blanks);
    if (from == std::string_view::npos)
        return {};
    return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20U || c == '\x7f';
}

// The text as it may be shown: one line, no control character, not endless.
std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text.substr(0, longestQuotation))
        out += isControl(c) ? '?' : c;
    out += text.size() > longestQuotation ? "…\"" : "\"";
    return out;
}

std::string withUnit(std::int64_t value, std::string_view unit)
{
    std::string out = std::to_string(value);
    if (!unit.empty())
        out.append(" ").append(unit);
    return out;
}

// Decimal digits with an optional minus sign; a number too large for 64 bits is still a number,
// only far out of range. Nothing for anything else ("", "1e3", "0x10", "+1", "1.5").
std::optional<std::int64_t> decimal(std::string_view text)
{
    const bool negative = text.starts_with('-');
    const std::string_view digits = negative ? text.substr(1) : text;
    const bool allDigits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (digits.empty() || !allDigits)
        return std::nullopt;
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec == std::errc::result_out_of_range) {
        return negative ? std::numeric_limits<std::int64_t>::min()
                        : std::numeric_limits<std::int64_t>::max();
    }
    return value;
}

std::int64_t clamped(const Row &row, std::int64_t value)
{
    // Zero switches the limiter off, which nobody means by a negative rate (spec/cli.md).
    if (row.key == Key::RatePerMin && value < 0)
        return 1;
    return std::clamp(value, row.minimum, row.maximum);
}

Reading readInteger(const Row &row, std::string_view text)
{
    const std::optional<std::int64_t> value = decimal(text);
    if (!value)
        return {std::nullopt, quoted(text) + " is not a whole decimal number"};
    const std::int64_t kept = clamped(row, *value);
    if (kept == *value)
        return {std::to_string(kept), {}};
    return {std::to_string(kept),
            quoted(text) + " is outside " + std::to_string(row.minimum) + " to "
                + withUnit(row.maximum, row.unit) + "; using " + std::to_string(kept)};
}

Reading readFlag(std::string_view text)
{
    constexpr std::array<std::string_view, 4> yes{"true", "1", "on", "yes"};
    constexpr std::array<std::string_view, 4> no{"false", "0", "off", "no"};
    if (std::ranges::find(yes, text) != yes.end())
        return {"true", {}};
    if (std::ranges::find(no, text) != no.end())
        return {"false", {}};
    return {std::nullopt, quoted(text) + " is neither true nor false"};
}

Reading readChoice(const Row &row, std::string_view text)
{
    std::string_view rest = row.choices;
    while (!rest.empty()) {
        const std::string_view choice = rest.substr(0, rest.find('|'));
        if (choice == text)
            return {std::string(text), {}};
        rest.remove_prefix(std::min(rest.size(), choice.size() + 1));
    }
    std::string allowed(row.choices);
    std::ranges::replace(allowed, '|', ' ');
    return {std::nullopt, quoted(text) + " is not one of: " + allowed};
}

// Control characters have no place in an address, a path, a name or a header value.
Reading readText(std::string_view text)
{
    if (std::ranges::any_of(text, isControl)) {
        // A URL may carry a password before its '@': such a text is not repeated.
        return {std::nullopt,
                (text.find('@') == std::string_view::npos ? quoted(text) : "the value")
                    + " holds a control character"};
    }
    return {std::string(text), {}};
}

Reading readSecret(std::string_view text)
{
    const bool printable = std::ranges::none_of(text, [](char c) {
        return isControl(c) || c == ' ' || static_cast<unsigned char>(c) > 0x7eU;
    });
    if (text.empty() || !printable)
        return {std::nullopt, "the value is empty or holds characters no key may hold"};
    return {std::string(text), {}};
}

Reading read(const Row &row, std::string_view text)
{
    switch (row.kind) {
    case Kind::Integer:
        return readInteger(row, text);
    case Kind::Flag:
        return readFlag(text);
    case Kind::Choice:
        return readChoice(row, text);
    case Kind::Text:
        return readText(text);
    case Kind::Secret:
        return readSecret(text);
    }
    return {};
}

// The notice key starts with this room's own word and names source, key and (but for secrets)
// value, so that neither a later mistake nor a crafted value can hide another notice (B08).
pacing::Notice notice(Source source, const Row &row, std::string_view text, const Reading &reading)
{
    std::string key = reading.canonical ? "settings.clamped:" : "settings.malformed:";
    key.append(name(source)).append(":").append(row.name);
    if (row.kind != Kind::Secret && row.kind != Kind::Text)
        key.append(":").append(quoted(text));
    std::string sentence(row.name);
    // What is malformed on the command line ends the call: it is the caller's error text.
    if (!reading.canonical && source == Source::CommandLine)
        return {std::move(key), sentence.append(": ").append(reading.complaint)};
    sentence.append(" (").append(name(source)).append("): ").append(reading.complaint);
    if (!reading.canonical)
        sentence.append("; ignored");
    return {std::move(key), std::move(sentence)};
}

} // namespace

std::string_view name(Source source)
{
    switch (source) {
    case Source::Window:
        return "window";
    case Source::CommandLine:
        return "command_line";
    case Source::Environment:
        return "environment";
    case Source::File:
        return "file";
    case Source::Default:
        break;
    }
    return "default";
}

Settings::Outcome Settings::set(Source source, Key key, std::string_view text)
{
    if (source == Source::Default)
        return {};
    const Row &row = settings::row(key);
    const std::string_view value = trimmed(text);
    Reading reading = read(row, value);
    Outcome outcome;
    outcome.accepted = reading.canonical.has_value();
    if (!reading.complaint.empty())
        outcome.notice = notice(source, row, value, reading);
    if (outcome.accepted)
        m_values[static_cast<std::size_t>(key)][static_cast<std::size_t>(source)]
            = std::move(reading.canonical);
    return outcome;
}

void Settings::unset(Source source, Key key)
{
    if (source != Source::Default)
        m_values[static_cast<std::size_t>(key)][static_cast<std::size_t>(source)].reset();
}

std::int64_t Settings::integer(Key key) const
{
    return decimal(text(key)).value_or(0);
}

bool Settings::flag(Key key) const
{
    return text(key) == "true";
}

const std::string &Settings::text(Key key) const
{
    static const std::array<std::string, keyCount> fallbacks = [] {
        std::array<std::string, keyCount> texts;
        for (const Row &row : table())
            texts[static_cast<std::size_t>(row.key)] = row.fallback;
        return texts;
    }();
    const Source inForce = source(key);
    if (inForce == Source::Default)
        return fallbacks[static_cast<std::size_t>(key)];
    return *slots(key)[static_cast<std::size_t>(inForce)];
}

Source Settings::source(Key key) const
{
    const Slots &values = slots(key);
    const auto found
        = std::ranges::find_if(values, [](const auto &slot) { return slot.has_value(); });
    return static_cast<Source>(found - values.begin());
}

bool Settings::isLocked(Key key) const
{
    const Slots &values = slots(key);
    return values[static_cast<std::size_t>(Source::CommandLine)].has_value()
        || values[static_cast<std::size_t>(Source::Environment)].has_value();
}

pacing::BudgetSettings Settings::budget() const
{
    pacing::BudgetSettings set;
    if (isSet(Key::IdleMs))
        set.idle = base::Milliseconds(integer(Key::IdleMs));
    if (isSet(Key::TotalMs))
        set.total = base::Milliseconds(integer(Key::TotalMs));
    if (isSet(Key::Retries))
        set.retries = static_cast<int>(integer(Key::Retries));
    return set;
}

} // namespace headway::settings
