// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/outputslot.h"
#include "proxy/core/dialects/upstreamevent.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace headway::dialects {

// Upstream may interleave output items; clients are told of one after the other, in the order of
// their indices. What belongs to an item whose time has not come waits in its slot.
class ItemSequence final
{
public:
    // Takes what is due. `data` is the literal of a delta or, for OutputItemDone, the item.
    class Handler
    {
    public:
        virtual void handle(OutputSlot &slot, EventType type, int part, std::string_view data,
                            std::string &out)
            = 0;

    protected:
        ~Handler() = default;
    };

    // Output item events and deltas; anything else is not for the sequence.
    void take(const UpstreamEvent &event, Handler &handler, std::string &out);
    // What the response of a terminal event lists and no item event told, each at its place.
    void takeWhole(const UpstreamEvent &event, Handler &handler, std::string &out);
    // Opens the next item when none is open, and hands out what waited for it.
    void advance(Handler &handler, std::string &out);

    [[nodiscard]] OutputSlot *active();

private:
    [[nodiscard]] OutputSlot &slotOf(const UpstreamEvent &event);

    std::map<int, OutputSlot> m_slots;
    std::optional<int> m_active;
};

// What `whole` has beyond `sent`, both unescaped; nothing when they contradict each other.
[[nodiscard]] std::string missingTail(const std::string &whole, const std::string &sent);

} // namespace headway::dialects
