// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::credentials {

using Headers = std::vector<std::pair<std::string, std::string>>;

// The headers that a model's connections carry beside the credential (case B100: a model is only
// there for clients that send certain headers). The user's own entries come from the setting
// `model_headers`: "MODEL: name=value, name=value; MODEL: …", where MODEL may end in * and a later
// entry adds to an earlier one. Header names are lower case.
class HeaderProfiles final
{
public:
    // Of the plan endpoint: what Codex sends with the models known as "Responses Lite" (protocol
    // notes 2.2, the reference system's section 3.2).
    [[nodiscard]] static HeaderProfiles ofPlan();

    // Adds the user's; the error names the entry at fault. A header that carries a credential or
    // frames the request may not be set here.
    [[nodiscard]] tl::expected<void, std::string> add(std::string_view setting);

    // All that match, a later value in place of an earlier one of the same name.
    [[nodiscard]] Headers of(std::string_view model) const;

private:
    struct Profile
    {
        std::string pattern; // a model's name; a * at its end stands for any rest
        Headers headers;
    };

    std::vector<Profile> m_profiles;
};

// What each connection to the plan endpoint must carry beside Authorization (protocol notes 2.1).
// The originator is our own name, as every other client's is its own.
[[nodiscard]] Headers planHeaders(std::string_view accountId, bool fedramp);

} // namespace headway::credentials
