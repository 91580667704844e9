// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/csv.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/core/ledger/text.h"

#include <algorithm>

namespace headway::ledger {

namespace {

bool startsFormula(std::string_view text)
{
    constexpr std::string_view guarded = "=+-@\t\r";
    return !text.empty() && guarded.find(text.front()) != std::string_view::npos;
}

// Beyond RFC 4180 also for the semicolon and the tab, at which some spreadsheets split: what comes
// after one must not become a cell, and a formula, of its own.
bool mustQuote(std::string_view text)
{
    return std::ranges::any_of(text, [](char c) {
        return c == ',' || c == '"' || c == '\r' || c == '\n' || c == ';' || c == '\t';
    });
}

void appendText(std::string &out, std::string_view text)
{
    const bool quoted = mustQuote(text);
    if (quoted)
        out += '"';
    if (startsFormula(text))
        out += '\'';
    if (!quoted) {
        out += text;
        return;
    }
    for (const char c : text) {
        out += c;
        if (c == '"')
            out += '"';
    }
    out += '"';
}

} // namespace

void appendCsvHeader(std::string &out, const Kind &kind)
{
    for (const Column &column : kind.columns) {
        out += column.name;
        out += &column == &kind.columns.back() ? "\r\n" : ",";
    }
}

void appendCsvRow(std::string &out, std::span<const Value> cells)
{
    for (const Value &cell : cells) {
        std::visit(base::Overloaded{
                       [](std::monostate) {},
                       [&out](base::WallTime time) { appendTime(out, time); },
                       [&out](base::TurnId turn) { appendTurn(out, turn); },
                       [&out](std::string_view text) { appendText(out, text); },
                       [&out](std::int64_t number) { appendNumber(out, number); },
                       [&out](double number) { appendNumber(out, number); },
                       [&out](bool flag) { out += flag ? '1' : '0'; },
                   },
                   cell);
        out += &cell == &cells.back() ? "\r\n" : ",";
    }
}

} // namespace headway::ledger
