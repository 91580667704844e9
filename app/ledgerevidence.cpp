// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerevidence.h"

#include "app/ledgerarguments.h"
#include "app/proxysetup.h"
#include "proxy/store/paths.h"

#include <QDir>
#include <QFileInfo>

namespace headway::app {

namespace {

constexpr qint64 fastestRate = 6'000;

// What policy auto has learned lies beside the ledger it learned from.
QString ceilingsBeside(const QString &ledger, const CommandLine &line)
{
    const QString own = store::Paths::ofUser().ceilingFile();
    if (!line.has(QStringLiteral("ledger")))
        return own;
    return QFileInfo(ledger).dir().filePath(QFileInfo(own).fileName());
}

// The rate to judge by: as asked, else as set; nothing after a message.
bool readRate(const CommandLine &line, store::EvidenceRequest &request)
{
    if (line.has(QStringLiteral("rate"))) {
        const auto rate = line.number(QStringLiteral("rate"), 1, fastestRate);
        request.rate = static_cast<double>(rate.value_or(0));
        request.isAnother = true;
        return rate.has_value();
    }
    std::vector<std::string> notices;
    const auto settings = readSettings(store::Paths::ofUser(), line, notices);
    if (!settings) {
        printError(settings.error());
        return false;
    }
    request.rate = static_cast<double>(settings->integer(settings::Key::RatePerMin));
    return true;
}

} // namespace

int ledgerEvidence(const QStringList &arguments)
{
    CommandLine line(
        QStringLiteral("ledger evidence"),
        QStringLiteral("The table behind a rate setting: openings per wall-clock minute, the "
                       "minutes above the set rate, the minutes with rejections, and what was "
                       "learned of the account's ceiling."));
    line.add(QStringLiteral("rate"),
             QStringLiteral("Judge every minute by this rate, not by what was set in it."),
             QStringLiteral("per minute"));
    line.add(QStringLiteral("json"), QStringLiteral("As one JSON object, with every minute."));
    addSpan(line);
    addLedger(line);
    if (const auto over = line.parse(arguments))
        return *over;
    store::EvidenceRequest request;
    if (!readTime(line, QStringLiteral("since"), request.since)
        || !readTime(line, QStringLiteral("until"), request.until) || !readRate(line, request))
        return WrongCall;
    const auto path = ledgerPath(line);
    if (!path)
        return WrongCall;
    request.path = *path;
    request.ceilings = ceilingsBeside(request.path, line);
    const auto evidence = store::readEvidence(request);
    if (!evidence)
        return failed(evidence.error());
    printOut(QByteArray::fromStdString(line.has(QStringLiteral("json"))
                                           ? ledger::evidenceJson(*evidence)
                                           : ledger::evidenceText(*evidence)));
    return Fine;
}

} // namespace headway::app
