// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace headway::lab {

// What is wrong with an input of the lab. The caller knows the file's name.
struct LabError
{
    std::size_t line = 0; // 1-based; 0: the input as a whole
    std::string key; // "provider.upgrade_limits[0].max"; empty: none in particular
    std::string what;

    // "FILE:LINE: KEY: what", leaving out what does not apply.
    [[nodiscard]] std::string text(const std::string &file) const
    {
        std::string result = file;
        if (line > 0)
            result += ":" + std::to_string(line);
        if (!key.empty())
            result += ": " + key;
        return result + ": " + what;
    }

    friend bool operator==(const LabError &, const LabError &) = default;
};

} // namespace headway::lab
