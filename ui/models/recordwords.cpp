// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recordwords.h"

#include "proxy/core/base/overloaded.h"
#include "ui/format/figures.h"
#include "ui/format/quotawords.h"
#include "ui/format/settingwords.h"

#include <QCoreApplication>

#include <chrono>

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

QString spacingWords(ledger::Ms ms)
{
    return ms > 0 ? duration(ms) : RecordWords::tr("none");
}

Word words(const ledger::SpacingChanged &r)
{
    return word(Meaning::Limit,
                RecordWords::tr("spacing between openings: %1 → %2")
                    .arg(spacingWords(r.oldMs), spacingWords(r.newMs)));
}

QString ceilingWords(const std::string &shape, const std::optional<double> &perMinute,
                     const std::optional<std::uint64_t> &cap)
{
    if (shape == "cap" && cap)
        return RecordWords::tr("%1 open sockets").arg(count(*cap));
    if (perMinute)
        return RecordWords::tr("%1 openings/min").arg(QString::number(*perMinute, 'g', 3));
    return RecordWords::tr("none known");
}

Word words(const ledger::CeilingChanged &r)
{
    return word(Meaning::Limit,
                RecordWords::tr("estimated ceiling: %1 → %2, confidence %3")
                    .arg(ceilingWords(r.oldShape, r.oldPerMinute, r.oldSocketCap),
                         ceilingWords(r.shape, r.perMinute, r.socketCap), percent(r.confidence)));
}

Word words(const ledger::TokenBudget &r)
{
    const QString left = r.limit
        ? RecordWords::tr("%1: %2 of %3 left").arg(plain(r.family), count(r.left), count(*r.limit))
        : RecordWords::tr("%1: %2 left").arg(plain(r.family), count(r.left));
    if (!r.holding)
        return word(Meaning::Done, left);
    return word(
        Meaning::Waiting,
        r.resetMs
            ? RecordWords::tr("%1, calls wait %2 for the reset").arg(left, duration(*r.resetMs))
            : RecordWords::tr("%1, calls wait for the reset").arg(left));
}

Word words(const ledger::QuotaWindow &r, base::WallTime at)
{
    const pacing::QuotaWindow window{r.meter, r.window,
                                     std::chrono::duration_cast<base::Seconds>(
                                         std::chrono::duration<double, std::milli>(r.lengthMs)),
                                     r.usedPercent, r.resetsAt};
    return word(
        quotaMeaning(window),
        r.resetsAt
            ? RecordWords::tr("%1: %2").arg(quotaName(window), quotaWords(window, at))
            : RecordWords::tr("%1: %2 used").arg(quotaName(window), percent(r.usedPercent / 100)));
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
    if (r.severity == "info")
        return {Meaning::Done, idleGlyph, text(r.text)};
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
            RecordWords::tr("connection"),    RecordWords::tr("spacing"),
            RecordWords::tr("ceiling"),       RecordWords::tr("token budget"),
            RecordWords::tr("quota"),         RecordWords::tr("settings"),
            RecordWords::tr("retry"),         RecordWords::tr("warning"),
            RecordWords::tr("process")};
}

QString recordKind(const ledger::Record &record)
{
    return recordKinds().value(static_cast<qsizetype>(record.body.index()), unknown());
}

Word recordWords(const ledger::Record &record)
{
    return std::visit(base::Overloaded{[&record](const ledger::QuotaWindow &quota) {
                                           return words(quota, record.at);
                                       },
                                       [](const auto &body) { return words(body); }},
                      record.body);
}

} // namespace headway::ui
