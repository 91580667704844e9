// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/laneroute.h"

#include <algorithm>

namespace headway::engine {

namespace {

using Reach = LaneRoute::Reach;

constexpr std::string_view connectionIsOld = "websocket_connection_limit_reached";

} // namespace

LaneRoute routeOf(const dialects::UpstreamEvent &event, std::span<const std::string_view> inUse)
{
    const auto find = [inUse](std::string_view lane) {
        const auto found = std::ranges::find(inUse, lane);
        return found == inUse.end() ? LaneRoute{} : LaneRoute{Reach::One, *found};
    };
    const bool alone = inUse.size() == 1;
    if (!event.streamId.empty()) {
        // Somebody who named no lane is told a name all the same by some servers.
        if (alone && inUse.front().empty())
            return {Reach::One, inUse.front()};
        return find(event.streamId);
    }
    if (inUse.empty())
        return {};
    if (alone)
        return {Reach::One, inUse.front()};
    const bool isError = event.type == dialects::EventType::Error;
    if (isError && event.error && event.error->code == connectionIsOld)
        return {Reach::Everybody, {}};
    if (const LaneRoute nameless = find({}); nameless.reach == Reach::One)
        return nameless;
    if (isError)
        return {Reach::Everybody, {}};
    return {event.isModelEvent() ? Reach::Stray : Reach::Nobody, {}};
}

} // namespace headway::engine
