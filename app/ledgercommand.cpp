// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/ledgerarguments.h"
#include "proxy/store/ledgerexport.h"
#include "proxy/store/ledgerverify.h"

#include <QFileInfo>

#include <csignal>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace headway::app {

namespace {

void addExportOptions(CommandLine &line)
{
    line.add(QStringLiteral("format"),
             QStringLiteral("csv, jsonl or sqlite; default: as the name of --out ends (.csv, "
                            ".jsonl, .sqlite), csv for a folder that is there, else jsonl."),
             QStringLiteral("name"));
    addSpan(line);
    line.add(QStringLiteral("kind"),
             QStringLiteral("Only these kinds, comma separated: %1.")
                 .arg(kindNames().join(QLatin1String(", "))),
             QStringLiteral("kinds"));
    line.add(QStringLiteral("out"),
             QStringLiteral("JSONL: a file, or - for standard output. CSV is one file per kind: a "
                            "folder gets KIND.csv each (it is made, for you alone); l.csv gives "
                            "l-KIND.csv beside each other, or l.csv itself for one --kind; - takes "
                            "one --kind only. SQLite: a file."),
             QStringLiteral("file"), QStringLiteral("-"));
    addLedger(line);
}

// As --format says, else as the file's name does.
std::optional<store::ExportFormat> readFormat(const CommandLine &line)
{
    const QString name = QStringLiteral("format");
    if (line.has(name)) {
        const auto named = store::exportFormatNamed(line.value(name));
        if (!named)
            printError(QStringLiteral("--format takes csv, jsonl or sqlite"));
        return named;
    }
    if (QFileInfo(line.value(QStringLiteral("out"))).isDir())
        return store::ExportFormat::Csv;
    const QString ending = QFileInfo(line.value(QStringLiteral("out"))).suffix().toLower();
    return store::exportFormatNamed(ending).value_or(store::ExportFormat::JsonLines);
}

// What the call asks for; nothing after a message: it asks for what cannot be.
std::optional<store::ExportRequest> readRequest(const CommandLine &line)
{
    store::ExportRequest request;
    const auto named = readFormat(line);
    if (!named)
        return std::nullopt;
    request.format = *named;
    if (!readTime(line, QStringLiteral("since"), request.span.since)
        || !readTime(line, QStringLiteral("until"), request.span.until)
        || !readKinds(line.value(QStringLiteral("kind")), request.span.kinds))
        return std::nullopt;
    request.out = line.value(QStringLiteral("out"));
    if (request.format == store::ExportFormat::Csv && request.out == QLatin1String("-")
        && request.span.kinds.size() != 1)
    {
        printError(QStringLiteral("CSV is one file per kind: give --out FOLDER (KIND.csv each), "
                                  "--out l.csv (l-KIND.csv each), or one --kind for standard "
                                  "output"));
        return std::nullopt;
    }
    const auto path = ledgerPath(line);
    if (!path)
        return std::nullopt;
    request.path = *path;
    return request;
}

volatile std::sig_atomic_t isCancelled = 0;

// Ctrl+C ends an export as Cancel does in the window: nothing half-written is left.
void cancel(int /*signal*/)
{
    isCancelled = 1;
}

int exportRecords(const QStringList &arguments)
{
    CommandLine line(
        QStringLiteral("ledger export"),
        QStringLiteral("Writes the ledger as CSV, JSONL or SQLite, consistent to one instant."));
    addExportOptions(line);
    if (const auto over = line.parse(arguments))
        return *over;
    auto wanted = readRequest(line);
    if (!wanted)
        return WrongCall;
    store::ExportRequest &request = *wanted;
    const bool isWatched = ::isatty(STDERR_FILENO) != 0;
    std::signal(SIGINT, cancel);
    std::signal(SIGTERM, cancel);
    request.progress = [isWatched](quint64 records, double share) {
        if (isWatched)
            std::fprintf(stderr, "\r%llu records, %.0f %%",
                         static_cast<unsigned long long>(records), share * 100);
        return isCancelled == 0;
    };
    const auto result = store::exportLedger(request);
    if (isWatched)
        std::fputc('\n', stderr);
    if (!result)
        return failed(result.error());
    if (request.out != QLatin1String("-"))
        printOut(QStringLiteral("%1 records to %2\n")
                     .arg(result->records)
                     .arg(result->files.join(QLatin1String(", ")))
                     .toUtf8());
    return Fine;
}

int verify(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("ledger verify"),
                     QStringLiteral("Derives the totals again and reports any disagreement."));
    addLedger(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto path = ledgerPath(line);
    if (!path)
        return WrongCall;
    const auto report = store::verifyLedger(*path);
    if (!report)
        return failed(report.error());
    printOut(report->text().toUtf8());
    return report->holds() ? Fine : Failed;
}

} // namespace

int ledgerCommand(const QStringList &arguments)
{
    const QString what = arguments.value(0);
    if (what == QLatin1String("export"))
        return exportRecords(arguments.mid(1));
    if (what == QLatin1String("verify"))
        return verify(arguments.mid(1));
    if (what == QLatin1String("evidence"))
        return ledgerEvidence(arguments.mid(1));
    if (what == QLatin1String("query"))
        return ledgerQuery(arguments.mid(1));
    const bool help = what == QLatin1String("--help") || what == QLatin1String("-h");
    const QByteArray usage = "Usage: headway ledger export|verify|evidence|query [options]   "
                             "(--help on each)\n";
    if (help)
        printOut(usage);
    else
        printError(QString::fromUtf8(usage.trimmed()));
    return help ? Fine : WrongCall;
}

} // namespace headway::app
