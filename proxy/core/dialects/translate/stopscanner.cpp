// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/stopscanner.h"

#include <algorithm>

namespace headway::dialects {

namespace {

// Length of the longest end of `text` that begins `stop`.
std::size_t openEnd(std::string_view text, std::string_view stop)
{
    for (std::size_t length = std::min(text.size(), stop.size() - 1); length > 0; --length) {
        if (text.substr(text.size() - length) == stop.substr(0, length))
            return length;
    }
    return 0;
}

} // namespace

bool StopScanner::append(std::string &out, std::string_view text)
{
    m_held += text;
    std::size_t first = std::string::npos;
    for (const std::string &stop : *m_stops) {
        const std::size_t at = m_held.find(stop);
        if (at < first) {
            first = at;
            m_found = stop;
        }
    }
    if (first != std::string::npos) {
        out.append(m_held, 0, first);
        m_held.clear();
        return true;
    }
    std::size_t keep = 0;
    for (const std::string &stop : *m_stops)
        keep = std::max(keep, openEnd(m_held, stop));
    out.append(m_held, 0, m_held.size() - keep);
    m_held.erase(0, m_held.size() - keep);
    return false;
}

void StopScanner::flush(std::string &out)
{
    out += m_held;
    m_held.clear();
}

} // namespace headway::dialects
