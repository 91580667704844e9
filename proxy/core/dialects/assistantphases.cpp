// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/assistantphases.h"

#include "proxy/core/dialects/translate/assistantitems.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/literal.h"

#include <array>

namespace headway::dialects {

namespace {

// What upstream may be told; anything else it says of a text is not ours to send back.
constexpr std::array<std::string_view, 2> known{"commentary", "final_answer"};

} // namespace

AssistantPhases::AssistantPhases(std::uint64_t seed, std::size_t most)
    : m_seed(seed)
    , m_most(most)
{
}

// By what it says and not by how that is escaped, which a client does in its own way.
base::Fingerprint AssistantPhases::key(const Identity &who, std::string_view textBody) const
{
    const std::uint64_t conversation
        = base::fingerprint(who.agent, base::fingerprint(who.session, m_seed).low).low;
    return base::fingerprint(json::unescaped(textBody), conversation);
}

void AssistantPhases::remember(const Identity &who, std::string_view item)
{
    const TextItem text = readTextItem(item);
    for (const std::string_view phase : known) {
        if (text.phase != phase)
            continue;
        const base::Fingerprint print = key(who, text.body);
        if (!m_phases.try_emplace(print, phase).second)
            return;
        m_order.push_back(print);
        if (m_order.size() > m_most) {
            m_phases.erase(m_order.front());
            m_order.pop_front();
        }
    }
}

std::string_view AssistantPhases::of(const Identity &who, std::string_view item) const
{
    if (m_phases.empty())
        return {};
    const TextItem text = readTextItem(item);
    if (text.body.empty() || !text.phase.empty())
        return {};
    const auto found = m_phases.find(key(who, text.body));
    return found == m_phases.end() ? std::string_view() : found->second;
}

} // namespace headway::dialects
