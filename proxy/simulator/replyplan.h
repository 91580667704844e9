// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/simulator/requestrules.h"
#include "proxy/simulator/scenario.h"

#include <QJsonArray>

#include <vector>

namespace headway::simulator {

struct PlannedReply
{
    QJsonArray items;
    bool truncated = false; // max_output_tokens was reached
    qsizetype reasoningTokens = 0;
};

// What the simulated model says. In this order:
//   warm-up                        nothing
//   text.format json_schema        the smallest JSON that satisfies the schema
//   a sub-agent (SUBAGENT-n)       text, or what its own prompt asks for
//   replies of the scenario        reply k for the conversation's k-th model turn, then text
//   "simulate:KIND [n]" in the newest user text (KIND as in replies): that reply, once
//   tool_choice names a function   that call
//   otherwise                      text, after reasoning in half of the turns
// A tool that the request does not offer is never called: the reply says so in text. Tool outputs
// are answered with text unless the scenario says otherwise, so no client loops for ever.
[[nodiscard]] PlannedReply planReply(const AcceptedTurn &turn, const std::vector<Reply> &replies,
                                     Mint &mint, base::Random &random);

} // namespace headway::simulator
