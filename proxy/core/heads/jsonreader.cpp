// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/jsonreader.h"

#include "proxy/core/heads/representable.h"

#include <algorithm>

namespace headway::heads {

namespace {

constexpr std::size_t keptBytes = std::size_t{1} << 20U;

} // namespace

simdjson::error_code JsonReader::parse(std::string_view text)
{
    const std::size_t needed = text.size() + simdjson::SIMDJSON_PADDING;
    if (m_padded.size() < needed)
        m_padded.resize(needed);
    std::copy(text.begin(), text.end(), m_padded.begin());
    return m_parser.parse(m_padded.data(), text.size(), false).get(m_root);
}

std::optional<simdjson::dom::element> JsonReader::read(std::string_view text)
{
    simdjson::error_code error = parse(text);
    if (error == simdjson::NUMBER_ERROR || error == simdjson::STRING_ERROR)
        error = parse(representable(text));
    if (error != simdjson::SUCCESS)
        return std::nullopt;
    return m_root;
}

void JsonReader::release()
{
    if (m_padded.size() <= keptBytes)
        return;
    m_parser = simdjson::dom::parser{};
    m_padded = {};
}

} // namespace headway::heads
