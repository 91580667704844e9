// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/turnmodel.h"

#include "ui/format/figures.h"
#include "ui/format/words.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

using Row = live::TurnRow;

QVariant milliseconds(base::Milliseconds value)
{
    return QVariant::fromValue<qlonglong>(value.count());
}

QString leavesIn(const Row &row)
{
    if (!waitsToRun(row.phase))
        return {};
    if (row.held)
        return TurnModel::tr("held · place %1").arg(row.queuePlace);
    if (row.refusedThen)
        return TurnModel::tr("refused in %1").arg(duration(row.remaining));
    if (row.queuePlace == 0)
        return duration(row.remaining);
    return TurnModel::tr("%1 · place %2").arg(duration(row.remaining)).arg(row.queuePlace);
}

QString output(const Row &row)
{
    if (row.outputEvents == 0)
        return unknown();
    return TurnModel::tr("~%1 tok · %2", "tokens · bytes")
        .arg(count(row.outputTokens), bytes(row.bytesOut));
}

QString phase(const Row &row)
{
    const QString word = TurnModel::tr("%1 %2", "phase, since when")
                             .arg(row.held ? TurnModel::tr("held") : phaseWord(row.phase).text,
                                  duration(row.inPhase));
    return row.attempt > 1 ? TurnModel::tr("%1, try %2").arg(word).arg(row.attempt) : word;
}

std::vector<TableColumn<Row>> columns()
{
    return {
        {TurnModel::tr("Phase"), TurnModel::tr("What the turn is doing now, and for how long"),
         false, phase, [](const Row &r) { return QVariant(static_cast<int>(r.phase)); }},
        {TurnModel::tr("Agent · session"),
         TurnModel::tr("Keyed short names, never the client's ids"),
         false,
         [](const Row &r) { return agentWords(r.session, r.agent); },
         {}},
        {TurnModel::tr("Model"), {}, false, [](const Row &r) { return text(r.model); }, {}},
        {TurnModel::tr("Decision"),
         TurnModel::tr("What the head scan decided, and where it runs"),
         false,
         [](const Row &r) { return decisionWords(r.decision, r.place); },
         {}},
        {TurnModel::tr("Age"), TurnModel::tr("Since the request arrived"), true,
         [](const Row &r) { return duration(r.age); },
         [](const Row &r) { return milliseconds(r.age); }},
        {TurnModel::tr("Leaves in"),
         TurnModel::tr(
             "Countdown and place of a waiting turn; places count across sessions, in the "
             "order in which they leave. \"Refused in\": as things stand no connection may be "
             "opened for it before its deadline"),
         true, leavesIn, [](const Row &r) { return milliseconds(r.remaining); }},
        {TurnModel::tr("Output"),
         TurnModel::tr("Tokens of the reply so far, estimated from its text, and bytes sent to the "
                       "client"),
         true, output, [](const Row &r) { return QVariant::fromValue<qulonglong>(r.bytesOut); }},
        {TurnModel::tr("Why"), {}, false, [](const Row &r) { return text(r.why); }, {}},
    };
}

} // namespace

TurnModel::TurnModel(QObject *parent)
    : KeyedTable([](const Row &row) { return row.turn.value(); }, columns(), parent)
{
}

QVariant TurnModel::decoration(const Row &row, int column, int role) const
{
    if (column != Phase || (role != GlyphRole && role != MeaningRole))
        return {};
    const Word word = phaseWord(row.held ? live::Phase::Gate : row.phase);
    return role == GlyphRole ? QVariant(QString(QChar(word.glyph)))
                             : QVariant(static_cast<int>(word.meaning));
}

} // namespace headway::ui
