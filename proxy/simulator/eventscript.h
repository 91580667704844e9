// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/simulator/replyplan.h"

#include <QByteArray>

#include <cstddef>
#include <vector>

namespace headway::simulator {

struct ScriptEvent
{
    QByteArray type;
    QByteArray json; // the whole event, one line
};

// A response, event by event.
struct EventScript
{
    std::vector<ScriptEvent> events; // created, in_progress, items, one terminal
    std::size_t firstOutput = 2; // index of the first event that needs the model
    QString responseId;
    QJsonArray output;
    QByteArray finalResponse; // the Response object of the terminal event
    qsizetype outputTokens = 0;
};

// `lane` is the stream_id that every event carries; empty on the default lane. Source:
// protocols.md 1.3.
[[nodiscard]] EventScript buildScript(const AcceptedTurn &turn, const PlannedReply &plan,
                                      const QByteArray &lane, base::WallTime now, Mint &mint);

} // namespace headway::simulator
