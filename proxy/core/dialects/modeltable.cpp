// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/modeltable.h"

#include <algorithm>

namespace headway::dialects {

namespace {

constexpr std::string_view longContextMark = "[1m]";
constexpr std::string_view anthropics = "claude-";
constexpr std::uint64_t ordinaryWindow = 200'000;
constexpr std::uint64_t longWindow = 1'000'000;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace

ModelTable::ModelTable(const std::vector<std::string> &entries, bool anyName)
    : m_anyName(anyName)
{
    for (const std::string_view entry : entries) {
        const std::size_t sign = entry.find('=');
        const std::string name(trimmed(entry.substr(0, sign)));
        const std::string upstream(
            sign == std::string_view::npos ? name : trimmed(entry.substr(sign + 1)));
        if (!name.empty() && !upstream.empty())
            m_entries.emplace_back(name, upstream);
    }
}

tl::expected<std::string, TurnError> ModelTable::route(std::string_view asked) const
{
    const std::string name(withoutLongContextMark(asked));
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto &one) {
        return one.first == name || one.first == asked;
    });
    if (entry != m_entries.end())
        return entry->second;
    const bool isAnthropics = name.starts_with(anthropics);
    if (m_anyName || (m_entries.empty() && !isAnthropics))
        return name;
    TurnError error;
    error.kind = ErrorKind::NotFound;
    error.param = "model";
    error.message = isAnthropics ? "The upstream does not serve " + name
            + ". Set ANTHROPIC_MODEL to a model of the upstream (headway env claude prints it), or "
              "give the name a model in the setting models ("
            + name
            + "=MODEL), or add anthropic to the setting upstream to have claude-* models passed "
              "through"
                                 : "There is no model " + name + " in the setting models";
    if (!m_entries.empty())
        error.message += "; known:";
    for (const auto &[known, upstream] : m_entries)
        error.message += ' ' + known;
    error.message += '.';
    return tl::unexpected(std::move(error));
}

std::vector<std::string> ModelTable::names() const
{
    std::vector<std::string> names;
    for (const auto &[name, upstream] : m_entries)
        names.push_back(name);
    return names;
}

std::string_view withoutLongContextMark(std::string_view model)
{
    if (model.ends_with(longContextMark))
        model.remove_suffix(longContextMark.size());
    return model;
}

std::uint64_t statedWindow(std::string_view model)
{
    return model.ends_with(longContextMark) ? longWindow : ordinaryWindow;
}

void completeOverflow(TurnError &error, std::uint64_t estimate, std::string_view modelAsked)
{
    if (error.kind != ErrorKind::ContextOverflow || error.maximumTokens)
        return;
    const std::uint64_t tokens = std::max<std::uint64_t>(error.tokens.value_or(estimate), 2);
    error.tokens = tokens;
    error.maximumTokens = std::min(statedWindow(modelAsked), tokens - 1);
}

} // namespace headway::dialects
