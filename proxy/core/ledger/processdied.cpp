// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/processdied.h"

#include <algorithm>
#include <unordered_map>

namespace headway::ledger {

namespace {

using Started = std::unordered_map<base::TurnId, const Record *>;

Record blankFor(base::TurnId turn, const Started &started, base::WallTime now)
{
    Record record{.at = now, .turn = turn, .session = {}, .agent = {}, .body = Admission{}};
    if (const auto known = started.find(turn); known != started.end()) {
        record.session = known->second->session;
        record.agent = known->second->agent;
    }
    return record;
}

TurnEnded endOf(base::TurnId turn, const Started &started, base::WallTime lastSeen)
{
    TurnEnded end;
    end.end = name(TurnEnd::ProcessDied);
    end.reason = "the proxy's process ended during this turn; closed at the next start";
    const auto known = started.find(turn);
    if (known == started.end())
        return end;
    if (const auto *begun = std::get_if<TurnStarted>(&known->second->body)) {
        end.dialect = begun->dialect;
        end.modelAsked = begun->modelAsked;
        end.model = begun->model;
        end.effort = begun->effort;
        end.bytesIn = begun->bytesIn;
    }
    const auto ran = std::max(base::Milliseconds(0), lastSeen - known->second->at);
    end.totalMs = static_cast<Ms>(ran.count());
    return end;
}

} // namespace

std::vector<Record> closeAsProcessDied(const OpenLives &open, std::span<const Record> started,
                                       base::WallTime lastSeen, base::WallTime now)
{
    Started known;
    for (const Record &record : started)
        known.emplace(record.turn, &record);

    std::vector<Record> closings;
    for (const OpenRequest &request : open.requests) {
        Record record = blankFor(request.turn, known, now);
        Admission end;
        end.outcome = name(RequestEnd::ProcessDied);
        end.request = request.request;
        record.body = end;
        closings.push_back(std::move(record));
    }
    for (const base::TurnId turn : open.turns) {
        Record record = blankFor(turn, known, now);
        record.body = endOf(turn, known, lastSeen);
        closings.push_back(std::move(record));
    }
    return closings;
}

} // namespace headway::ledger
