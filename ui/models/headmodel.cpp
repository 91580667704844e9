// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/headmodel.h"

#include "ui/format/figures.h"
#include "ui/format/words.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

using Row = live::HeadRow;

constexpr char16_t pinnedGlyph = u'●';

QVariant number(std::uint64_t value)
{
    return QVariant::fromValue<qulonglong>(value);
}

QVariant milliseconds(base::Milliseconds value)
{
    return QVariant::fromValue<qlonglong>(value.count());
}

QString state(const Row &row)
{
    if (row.spare)
        return HeadModel::tr("spare");
    const QString word = row.inFlight ? HeadModel::tr("in flight") : HeadModel::tr("idle");
    return row.pinned ? HeadModel::tr("%1, pinned").arg(word) : word;
}

QString lastMatch(const Row &row)
{
    switch (row.lastMatch) {
    case heads::MatchMode::Exact:
        return HeadModel::tr("exact");
    case heads::MatchMode::ReasoningOmitted:
        return HeadModel::tr("without reasoning");
    case heads::MatchMode::None:
        break;
    }
    return unknown();
}

std::vector<TableColumn<Row>> columns()
{
    return {
        {HeadModel::tr("State"), {}, false, state, {}},
        {HeadModel::tr("Connection"), HeadModel::tr("Number of the upstream connection"), true,
         [](const Row &r) { return count(r.connection.value()); },
         [](const Row &r) { return number(r.connection.value()); }},
        {HeadModel::tr("Lane"),
         HeadModel::tr("Several conversations may share a connection, each on a lane of its own"),
         false,
         [](const Row &r) { return r.lane.empty() ? unknown() : text(r.lane); },
         {}},
        {HeadModel::tr("Agent · session"),
         {},
         false,
         [](const Row &r) {
             return r.spare ? HeadModel::tr("nobody yet") : agentWords(r.session, r.agent);
         },
         {}},
        {HeadModel::tr("Model"), {}, false, [](const Row &r) { return text(r.model); }, {}},
        {HeadModel::tr("Generation"),
         HeadModel::tr("Nursery: never continued. Established: continued at least once. Isolated: "
                       "opened beside a busy parent."),
         false,
         [](const Row &r) { return r.spare ? unknown() : generationWord(r.generation); },
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
        {HeadModel::tr("Last match"),
         HeadModel::tr("How the newest turn continued it: word for word, or with the reasoning "
                       "left out by the client"),
         false,
         lastMatch,
         {}},
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
        {HeadModel::tr("Tokens saved"),
         HeadModel::tr("Prompt tokens of continued turns that came out of the provider's cache"),
         true, [](const Row &r) { return count(r.tokensSaved); },
         [](const Row &r) { return number(r.tokensSaved); }},
    };
}

} // namespace

HeadModel::HeadModel(QObject *parent)
    : KeyedTable(keyOf, columns(), parent)
{
}

HeadModel::Key HeadModel::keyOf(const Row &row)
{
    return row.head != 0 ? row.head * 2 : row.connection.value() * 2 + 1;
}

QVariant HeadModel::decoration(const Row &row, int column, int role) const
{
    if (column != State)
        return {};
    if (role == GlyphRole)
        return QString(QChar(row.inFlight     ? sign(Meaning::Active).glyph
                                 : row.pinned ? pinnedGlyph
                                              : idleGlyph));
    if (role == MeaningRole)
        return static_cast<int>(row.inFlight ? Meaning::Active : Meaning::Done);
    return {};
}

} // namespace headway::ui
