// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headway::turn {

// Takes secrets out of texts that leave the proxy (spec/safety.md, "What may go out"): the known
// ones by value, and whatever has the shape of an API key (sk-…) or a JSON web token (eyJ….….…).
class Redactor final
{
public:
    Redactor() = default;
    explicit Redactor(std::vector<std::string> secrets); // shorter ones than 8 bytes are ignored

    void add(std::string secret); // one more, known from now on

    [[nodiscard]] std::string operator()(std::string_view text) const;

private:
    std::vector<std::string> m_secrets;
    std::ptrdiff_t m_kept = 0; // of the first ones, which stay for good
};

// A word of the provider (code, type) as it may be recorded: at most 64 characters of
// [A-Za-z0-9_.-], empty for anything else.
[[nodiscard]] std::string_view recordable(std::string_view word);

} // namespace headway::turn
