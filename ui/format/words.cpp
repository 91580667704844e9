// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/words.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)
};

Word word(Meaning meaning, const QString &text)
{
    return {meaning, sign(meaning).glyph, text};
}

QString decided(heads::Decision decision)
{
    switch (decision) {
    case heads::Decision::Continuation:
        return Words::tr("continued");
    case heads::Decision::ExpectedHead:
        return Words::tr("waits for its parent");
    case heads::Decision::Fork:
        return Words::tr("forked");
    case heads::Decision::ParallelIsolated:
        return Words::tr("beside a busy parent");
    case heads::Decision::HistoryMismatchNewHead:
        return Words::tr("new head, history differs");
    case heads::Decision::NewPartitionHead:
        return Words::tr("new head");
    case heads::Decision::Unpartitioned:
        return Words::tr("never continued");
    }
    return unknown();
}

// The usual place says nothing: a continuation runs on the same head, a new head is dialled.
QString placed(heads::Place place)
{
    switch (place) {
    case heads::Place::Lane:
        return Words::tr("free lane");
    case heads::Place::Spare:
        return Words::tr("spare connection");
    case heads::Place::Https:
        return Words::tr("over HTTPS");
    case heads::Place::Same:
    case heads::Place::Dialled:
        break;
    }
    return {};
}

} // namespace

bool waitsToRun(live::Phase phase)
{
    return phase == live::Phase::Gate || phase == live::Phase::Queued
        || phase == live::Phase::Backoff;
}

Word phaseWord(live::Phase phase)
{
    switch (phase) {
    case live::Phase::Gate:
        return word(Meaning::Limit, Words::tr("held back"));
    case live::Phase::Queued:
        return word(Meaning::Waiting, Words::tr("queued"));
    case live::Phase::Backoff:
        return word(Meaning::Limit, Words::tr("backing off"));
    case live::Phase::Dialling:
        return word(Meaning::Waiting, Words::tr("dialling"));
    case live::Phase::FirstByte:
        return {Meaning::Active, u'▷', Words::tr("first byte")};
    case live::Phase::Streaming:
        return word(Meaning::Active, Words::tr("streaming"));
    }
    return {Meaning::Done, idleGlyph, unknown()};
}

QString decisionWords(const std::optional<heads::Decision> &decision,
                      const std::optional<heads::Place> &place)
{
    if (!decision)
        return unknown();
    const QString where = place ? placed(*place) : QString();
    if (where.isEmpty())
        return decided(*decision);
    return Words::tr("%1 · %2", "decision · place").arg(decided(*decision), where);
}

QString generationWord(heads::Generation generation)
{
    switch (generation) {
    case heads::Generation::Nursery:
        return Words::tr("nursery");
    case heads::Generation::Established:
        return Words::tr("established");
    case heads::Generation::Isolated:
        return Words::tr("isolated");
    }
    return unknown();
}

QString agentWords(std::string_view session, std::string_view agent)
{
    const QString who = session.empty() ? Words::tr("no session") : text(session);
    return Words::tr("%1 · %2", "agent · session")
        .arg(agent.empty() ? Words::tr("main") : text(agent), who);
}

Word upstreamWord(std::string_view state)
{
    if (state == "ok")
        return {Meaning::Active, u'●', Words::tr("ok")};
    if (state.empty() || state == "untried")
        return {Meaning::Done, u'○', Words::tr("not tried yet")};
    if (state.starts_with("no credential"))
        return word(Meaning::Failed, Words::tr("has no credential"));
    if (state.starts_with("reject"))
        return word(Meaning::Limit, text(state));
    return word(Meaning::Failed, text(state));
}

} // namespace headway::ui
