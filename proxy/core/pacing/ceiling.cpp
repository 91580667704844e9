// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/ceiling.h"

namespace headway::pacing {

std::string_view name(CeilingShape shape)
{
    switch (shape) {
    case CeilingShape::Unknown:
        return "unknown";
    case CeilingShape::Window:
        return "window";
    case CeilingShape::Rate:
        return "rate";
    case CeilingShape::Cap:
        return "cap";
    }
    return "";
}

std::string_view name(DoorState state)
{
    switch (state) {
    case DoorState::Open:
        return "open";
    case DoorState::Holding:
        return "holding";
    case DoorState::Probing:
        return "probing";
    case DoorState::CoolingDown:
        return "cooling_down";
    }
    return "";
}

} // namespace headway::pacing
