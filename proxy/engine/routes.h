// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headway::engine {

// What a request asks of the proxy. Routes are recognised by their end, any prefix before it is
// allowed (spec/cli.md).
enum class Route : std::uint8_t {
    Messages,
    CountTokens,
    Models,
    Responses,
    Health,
    Probe, // HEAD / and HEAD /api/hello
    State,
    Unknown,
};

[[nodiscard]] Route routeOf(std::string_view method, std::string_view path);

} // namespace headway::engine
