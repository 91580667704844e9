// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/jsonl.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/core/json/quote.h"
#include "proxy/core/ledger/text.h"

#include <cassert>

namespace headway::ledger {

namespace {

void appendCell(std::string &out, const Value &cell)
{
    std::visit(base::Overloaded{
                   [&out](std::monostate) { out += "null"; },
                   [&out](base::WallTime time) {
                       out += '"';
                       appendTime(out, time);
                       out += '"';
                   },
                   [&out](base::TurnId turn) {
                       out += '"';
                       appendTurn(out, turn);
                       out += '"';
                   },
                   [&out](std::string_view text) { json::appendQuoted(out, text); },
                   [&out](std::int64_t number) { appendNumber(out, number); },
                   [&out](double number) { appendNumber(out, number); },
                   [&out](bool flag) { out += flag ? "true" : "false"; },
               },
               cell);
}

} // namespace

void appendJsonLine(std::string &out, const Kind &kind, std::span<const Value> cells)
{
    assert(cells.size() == kind.columns.size());
    out += R"({"kind":")";
    out += kind.name;
    out += '"';
    for (std::size_t i = 0; i < cells.size(); ++i) {
        out += ",\"";
        out += kind.columns[i].name;
        out += "\":";
        appendCell(out, cells[i]);
    }
    out += "}\n";
}

} // namespace headway::ledger
