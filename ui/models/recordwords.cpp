// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recordwords.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

struct RecordWords
{
    Q_DECLARE_TR_FUNCTIONS(RecordWords)
};

Word word(Meaning meaning, const QString &text)
{
    return {meaning, sign(meaning).glyph, text};
}

// The ledger's words are English identifiers: "new_partition_head".
QString plain(const std::string &identifier)
{
    return text(identifier).replace(u'_', u' ');
}

Word words(const ledger::TurnStarted &r)
{
    return {Meaning::Done, idleGlyph,
            RecordWords::tr("%1, %2 in")
                .arg(text(r.model.empty() ? r.modelAsked : r.model), bytes(r.bytesIn))};
}

Word words(const ledger::TurnEnded &r)
{
    if (r.end == "completed")
        return word(Meaning::Done,
                    RecordWords::tr("completed in %1, %2 tokens in (%3 cached), %4 out")
                        .arg(duration(r.totalMs), count(r.inputTokens), count(r.cachedTokens),
                             count(r.outputTokens)));
    if (r.end == "client_gone")
        return {Meaning::Done, idleGlyph,
                RecordWords::tr("client gone after %1").arg(duration(r.totalMs))};
    const Meaning meaning = r.end == "refused" ? Meaning::Limit : Meaning::Failed;
    return word(meaning,
                RecordWords::tr("%1 after %2: %3")
                    .arg(plain(r.end), duration(r.totalMs),
                         r.reason.empty() ? plain(r.errorType) : text(r.reason)));
}

Word words(const ledger::HeadDecided &r)
{
    const bool continued = r.decision == "continuation";
    const QString items = r.inputItems == 0
        ? QString()
        : RecordWords::tr(", %1 of %2 items sent").arg(count(r.deltaItems), count(r.inputItems));
    return {continued ? Meaning::Active : Meaning::Done,
            continued ? sign(Meaning::Active).glyph : idleGlyph, plain(r.decision) + items};
}

Word words(const ledger::Admission &r)
{
    if (r.outcome == "refused")
        return word(Meaning::Limit,
                    RecordWords::tr("refused: would have to wait %1").arg(duration(r.requiredMs)));
    if (r.outcome == "queued")
        return word(Meaning::Waiting,
                    RecordWords::tr("queued at place %1 for %2")
                        .arg(count(r.place), duration(r.requiredMs)));
    const QString waited
        = r.waitedMs > 0 ? RecordWords::tr(" after %1").arg(duration(r.waitedMs)) : QString();
    return word(Meaning::Done, plain(r.outcome) + waited);
}

Word words(const ledger::Connection &r)
{
    const QString name
        = RecordWords::tr("connection %1 %2").arg(count(r.connection), plain(r.event));
    const QString why = r.reason.empty() ? QString() : RecordWords::tr(": %1").arg(plain(r.reason));
    if (r.event == "rejected")
        return word(Meaning::Limit,
                    name + (r.status ? RecordWords::tr(" (%1)").arg(*r.status) : why));
    if (r.event == "failed")
        return word(Meaning::Failed, name + why);
    return {Meaning::Done, idleGlyph, name + why};
}

Word words(const ledger::SettingsChanged &r)
{
    const live::ChangeMark change{{}, r.key, r.oldValue, r.newValue, r.who};
    return {Meaning::Active, u'◇',
            RecordWords::tr("%1 %2").arg(changeText(change), whoWords(r.who))};
}

Word words(const ledger::Retry &r)
{
    return word(Meaning::Waiting,
                RecordWords::tr("try %1: %2, then %3 after %4")
                    .arg(count(r.attempt), plain(r.cause), plain(r.action), duration(r.delayMs)));
}

Word words(const ledger::Warning &r)
{
    return {Meaning::Waiting, warningGlyph, text(r.text)};
}

Word words(const ledger::Process &r)
{
    return {Meaning::Done, idleGlyph,
            RecordWords::tr("headway %1 %2").arg(text(r.version), plain(r.event))};
}

} // namespace

QStringList recordKinds()
{
    return {RecordWords::tr("turn started"),  RecordWords::tr("turn ended"),
            RecordWords::tr("head decision"), RecordWords::tr("admission"),
            RecordWords::tr("connection"),    RecordWords::tr("settings"),
            RecordWords::tr("retry"),         RecordWords::tr("warning"),
            RecordWords::tr("process")};
}

QString recordKind(const ledger::Record &record)
{
    return recordKinds().value(static_cast<qsizetype>(record.body.index()), unknown());
}

Word recordWords(const ledger::Record &record)
{
    return std::visit([](const auto &body) { return words(body); }, record.body);
}

} // namespace headway::ui
