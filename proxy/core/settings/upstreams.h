// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::settings {

// What the setting `upstream` names (spec/cli.md, "Upstreams"): where turns go, and whether
// claude-* models are passed through to Anthropic.
struct Upstreams
{
    std::string turns; // URL of the Responses endpoint; empty: none
    bool plan = false; // it takes the ChatGPT plan's sign-in
    std::string anthropic; // base URL; empty: not enabled

    friend bool operator==(const Upstreams &, const Upstreams &) = default;
};

// A list, separated by commas, of: openai, chatgpt, anthropic, or the URL of any other Responses
// endpoint; at most one of them for turns. "chatgpt=URL" and "anthropic=URL" name the same service
// at another place (a stand-in on this machine, a company's gateway); the URLs themselves are
// checked by whoever dials. The error is a sentence.
[[nodiscard]] tl::expected<Upstreams, std::string> parseUpstreams(std::string_view setting);

} // namespace headway::settings
