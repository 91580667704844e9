// SPDX-License-Identifier: GPL-3.0-or-later
// Ledger records in the feed: the objects of the ledger's JSONL, by the table of its columns,
// without the cells that are zero or empty anyway.
#include "proxy/core/base/overloaded.h"
#include "proxy/core/ledger/text.h"
#include "proxy/core/live/feedreader.h"
#include "proxy/core/live/feedwriter.h"

#include <cmath>

namespace headway::live {

namespace {

// An optional column says something with its zero.
bool saysNothing(const ledger::Column &column, const ledger::Value &cell)
{
    return std::visit(base::Overloaded{
                          [](std::monostate) { return true; },
                          [&](std::string_view text) { return !column.optional && text.empty(); },
                          [&](const auto &value) {
                              return !column.optional && value == std::decay_t<decltype(value)>{};
                          },
                      },
                      cell);
}

// Nothing where the value is of another type than the column. `text` holds what a text points at.
ledger::Value cellOf(const ledger::Column &column, json::Value from, std::string &text)
{
    using ledger::Type;
    using ledger::Value;
    if (from.isString())
        text = from.text();
    switch (column.type) {
    case Type::Time:
        return from.isString() && ledger::parseTime(text) ? Value(std::string_view(text)) : Value();
    case Type::Turn:
        return from.isString() && ledger::parseTurn(text) ? Value(std::string_view(text)) : Value();
    case Type::Text:
        return from.isString() ? Value(std::string_view(text)) : Value();
    case Type::Integer: {
        const auto number = from.integer();
        return number && *number >= 0 ? Value(*number) : Value();
    }
    case Type::Real: {
        const auto number = from.number();
        return number && std::isfinite(*number) ? Value(*number) : Value();
    }
    case Type::Flag: {
        const auto flag = from.boolean();
        return flag ? Value(*flag) : Value();
    }
    }
    return {};
}

ledger::Record recordOf(const ledger::Kind &kind, json::Value from, Complaint &complaint)
{
    ledger::Record record = kind.blank();
    std::string text;
    for (const ledger::Column &column : kind.columns) {
        const json::Value found = from[column.name];
        if (!found.exists() || found.isNull())
            continue;
        const ledger::Value cell = cellOf(column, found, text);
        if (std::holds_alternative<std::monostate>(cell))
            complaint.make(found, "is not what this column of the ledger holds");
        else
            column.set(record, cell);
    }
    return record;
}

} // namespace

void FeedWriter::write(const ledger::Record &record)
{
    const ledger::Kind &kind = ledger::kindOf(record);
    FeedWriter object(m_out);
    object("kind", kind.name);
    for (const ledger::Column &column : kind.columns) {
        const ledger::Value cell = column.get(record);
        if (saysNothing(column, cell))
            continue;
        object.key(column.name);
        std::visit(base::Overloaded{
                       [](std::monostate) {},
                       [&object](const auto &value) { object.write(value); },
                   },
                   cell);
    }
    object.end();
}

// A kind that is not known is of a newer Headway, and left out.
void FeedReader::read(json::Value from, std::vector<ledger::Record> &records)
{
    records.clear();
    for (const json::Value each : listed(from)) {
        const json::Value kindName = each["kind"];
        if (!each.isObject() || !kindName.isString())
            m_complaint.make(each, "is no record with a kind");
        if (m_complaint.offset)
            return;
        if (const auto kind = ledger::findKind(kindName.text()))
            records.push_back(recordOf(ledger::kinds()[*kind], each, m_complaint));
    }
}

} // namespace headway::live
