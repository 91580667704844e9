// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/settings/settings.h"
#include "proxy/engine/services.h"
#include "proxy/engine/turns.h"

#include <string>
#include <vector>

namespace headway::engine {

// Puts the one value together that the window is fed with.
class SnapshotBuilder final
{
public:
    struct Facts
    {
        std::string listening;
        std::string ledgerState;
        std::vector<std::string> notices;
        std::string unpaced = {}; // as Snapshot::unpaced
        live::Overrides overrides = {};
        live::SignIn signIn = {};
    };

    SnapshotBuilder(Services &services, const Turns &turns, const settings::Settings &settings);

    // Takes what is new since the last call.
    [[nodiscard]] live::SnapshotPointer build(const Facts &facts, base::Now now);

    // The same figures, without what is consumed by build(), as the JSON of GET /headway/v1/state.
    [[nodiscard]] std::string stateJson(const Facts &facts, base::Now now) const;

private:
    [[nodiscard]] std::vector<live::HeadRow> headRows(base::Now now) const;
    [[nodiscard]] std::string upstreamState(const live::SignIn &signIn) const;

    Services &m_services;
    const Turns &m_turns;
    const settings::Settings &m_settings;
};

} // namespace headway::engine
