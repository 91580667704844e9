// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/headmodel.h"

#include "ui/format/figures.h"
#include "ui/format/words.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

using Row = live::HeadRow;

QVariant number(std::uint64_t value)
{
    return QVariant::fromValue<qulonglong>(value);
}

QVariant milliseconds(base::Milliseconds value)
{
    return QVariant::fromValue<qlonglong>(value.count());
}

std::vector<TableColumn<Row>> columns()
{
    return {
        {HeadModel::tr("State"),
         {},
         false,
         [](const Row &r) {
             return r.inFlight ? HeadModel::tr("in flight") : HeadModel::tr("idle");
         },
         {}},
        {HeadModel::tr("Connection"), HeadModel::tr("Number of the upstream connection"), true,
         [](const Row &r) { return count(r.connection.value()); },
         [](const Row &r) { return number(r.connection.value()); }},
        {HeadModel::tr("Agent · session"),
         {},
         false,
         [](const Row &r) { return agentWords(r.session, r.agent); },
         {}},
        {HeadModel::tr("Model"), {}, false, [](const Row &r) { return text(r.model); }, {}},
        {HeadModel::tr("Generation"),
         HeadModel::tr("Nursery: never continued. Established: continued at least once. Isolated: "
                       "opened beside a busy parent."),
         false,
         [](const Row &r) { return generationWord(r.generation); },
         {}},
        {HeadModel::tr("Partition"),
         HeadModel::tr("Turns of one partition may continue each other"),
         false,
         [](const Row &r) { return text(r.partition); },
         {}},
        {HeadModel::tr("Age"),
         {},
         true,
         [](const Row &r) { return duration(r.age); },
         [](const Row &r) { return milliseconds(r.age); }},
        {HeadModel::tr("Idle"),
         {},
         true,
         [](const Row &r) { return r.inFlight ? unknown() : duration(r.idle); },
         [](const Row &r) { return milliseconds(r.inFlight ? base::Milliseconds{-1} : r.idle); }},
        {HeadModel::tr("Turns"),
         {},
         true,
         [](const Row &r) { return count(r.turns); },
         [](const Row &r) { return number(r.turns); }},
        {HeadModel::tr("Items"), HeadModel::tr("Conversation items the provider keeps for it"),
         true, [](const Row &r) { return count(r.items); },
         [](const Row &r) { return number(r.items); }},
        {HeadModel::tr("Saved"), HeadModel::tr("Bytes that did not have to be sent again"), true,
         [](const Row &r) { return bytes(r.bytesSaved); },
         [](const Row &r) { return number(r.bytesSaved); }},
    };
}

} // namespace

HeadModel::HeadModel(QObject *parent)
    : KeyedTable([](const Row &row) { return row.connection.value(); }, columns(), parent)
{
}

QVariant HeadModel::decoration(const Row &row, int column, int role) const
{
    if (column != State)
        return {};
    if (role == GlyphRole)
        return QString(QChar(row.inFlight ? sign(Meaning::Active).glyph : idleGlyph));
    if (role == MeaningRole)
        return static_cast<int>(row.inFlight ? Meaning::Active : Meaning::Done);
    return {};
}

} // namespace headway::ui
