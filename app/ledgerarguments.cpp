// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledgerarguments.h"

#include "app/proxysetup.h"
#include "proxy/core/ledger/columns.h"
#include "proxy/core/ledger/text.h"

#include <QDate>
#include <QDateTime>
#include <QRegularExpression>

namespace headway::app {

namespace {

const QString ledgerOption = QStringLiteral("ledger");

// A day alone is the midnight it begins with where this machine is; a time says its own offset.
std::optional<base::WallTime> dayOrTime(const QString &text)
{
    static const QRegularExpression day(QStringLiteral("^\\d{4}-\\d{2}-\\d{2}$"));
    if (!day.match(text).hasMatch())
        return ledger::parseTime(text.toStdString());
    const QDate date = QDate::fromString(text, Qt::ISODate);
    if (!date.isValid())
        return std::nullopt;
    return base::WallTime(base::Milliseconds(date.startOfDay().toMSecsSinceEpoch()));
}

} // namespace

void addLedger(CommandLine &line)
{
    line.addSettings();
    line.add(ledgerOption, QStringLiteral("The ledger's file; default: the user's."),
             QStringLiteral("path"));
}

std::optional<QString> ledgerPath(const CommandLine &line)
{
    if (line.has(ledgerOption))
        return line.value(ledgerOption);
    const store::Paths paths = store::Paths::ofUser();
    std::vector<std::string> notices;
    const auto settings = readSettings(paths, line, notices);
    if (!settings) {
        printError(settings.error());
        return std::nullopt;
    }
    const std::string &set = settings->text(settings::Key::Ledger);
    return set.empty() ? paths.ledgerFile() : QString::fromStdString(set);
}

void addSpan(CommandLine &line)
{
    line.add(QStringLiteral("since"),
             QStringLiteral("From then on: a day (2026-11-29, from its local midnight) or a time "
                            "(2026-11-29T14:02:25Z, or with an offset)."),
             QStringLiteral("time"));
    line.add(QStringLiteral("until"), QStringLiteral("Before then; a day or a time likewise."),
             QStringLiteral("time"));
}

bool readTime(const CommandLine &line, const QString &name, std::optional<base::WallTime> &time)
{
    if (!line.has(name))
        return true;
    time = dayOrTime(line.value(name).trimmed());
    if (!time)
        printError(QStringLiteral("--%1 takes a day like 2026-11-29 or a time like "
                                  "2026-11-29T14:02:25Z, not \"%2\"")
                       .arg(name, line.value(name)));
    return time.has_value();
}

QStringList kindNames()
{
    QStringList names;
    for (const ledger::Kind &each : ledger::kinds())
        names << QString::fromUtf8(each.name.data(), qsizetype(each.name.size()));
    return names;
}

bool readKinds(const QString &list, std::vector<std::size_t> &kinds)
{
    for (const QString &name : list.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const auto kind = ledger::findKind(name.trimmed().toStdString());
        if (!kind) {
            printError(QStringLiteral("there is no record kind \"%1\"; there are %2")
                           .arg(name.trimmed(), kindNames().join(QLatin1String(", "))));
            return false;
        }
        kinds.push_back(*kind);
    }
    return true;
}

int failed(const store::StoreError &error)
{
    printError(error.text);
    return error.code == store::StoreError::Code::Invalid ? WrongCall : Failed;
}

} // namespace headway::app
