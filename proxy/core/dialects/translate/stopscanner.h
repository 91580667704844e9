// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway::dialects {

// Stop sequences, which upstream does not know, found in text that arrives in pieces. Text that
// could be the start of one is held back until it is clear.
class StopScanner final
{
public:
    explicit StopScanner(const std::vector<std::string> *stops)
        : m_stops(stops)
    {
    }

    // Appends what may be shown; true once a sequence was found (it is not shown, nor what
    // follows).
    [[nodiscard]] bool append(std::string &out, std::string_view text);
    // The text block ends: what was held back is shown.
    void flush(std::string &out);
    [[nodiscard]] const std::string &found() const { return m_found; }

private:
    const std::vector<std::string> *m_stops;
    std::string m_held;
    std::string m_found;
};

} // namespace headway::dialects
