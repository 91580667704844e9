// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerquery.h"

#include "app/ledgerarguments.h"
#include "app/rowprinter.h"
#include "app/timelimit.h"

#include <cstdio>
#include <unistd.h>

namespace headway::app {

namespace {

constexpr std::chrono::seconds longest(10); // spec/ledger.md, "Reading"

void addOptions(CommandLine &line)
{
    line.addPositional(QStringLiteral("SELECT"), QStringLiteral("One statement that only reads."));
    line.add(QStringLiteral("format"),
             QStringLiteral("table, csv or jsonl; default: table on a terminal, else jsonl."),
             QStringLiteral("name"));
    line.add(QStringLiteral("limit"),
             QStringLiteral("Seconds after which the statement is given up, 1 to 10."),
             QStringLiteral("seconds"), QString::number(longest.count()));
    addLedger(line);
}

bool print(const std::string &text)
{
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size()
        && std::fflush(stdout) == 0;
}

int run(store::LedgerQuery &query, RowPrinter::Format format, std::chrono::seconds seconds)
{
    const QString givenUp
        = QStringLiteral("headway: the statement was given up after %1 s: name fewer records, or "
                         "export the ledger as SQLite and ask that file\n")
              .arg(seconds.count());
    TimeLimit limit(seconds, givenUp.toUtf8(), Failed);
    // Who reads a long answer page by page does not use up the statement's time.
    RowPrinter printer(format, [&limit](const std::string &text) {
        limit.pause();
        const bool taken = print(text);
        limit.goOn();
        return taken;
    });
    query.columns = [&printer](const QStringList &names) { return printer.columns(names); };
    query.row = [&printer](const QVariantList &cells) { return printer.row(cells); };
    const auto done = store::runLedgerQuery(query);
    limit.pause();
    if (!printer.finish() || (!done && done.error().code == store::StoreError::Code::Cancelled)) {
        printError(QStringLiteral("the output could not be written"));
        return Failed;
    }
    return done ? Fine : failed(done.error());
}

} // namespace

int ledgerQuery(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("ledger query"),
                     QStringLiteral("Asks the ledger in SQL. There is one table for each kind of "
                                    "record; nothing can be changed."));
    addOptions(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto seconds = line.number(QStringLiteral("limit"), 1, longest.count());
    if (!seconds)
        return WrongCall;
    if (line.positional().size() != 1) {
        printError(QStringLiteral("ledger query takes one statement, in quotes: headway ledger "
                                  "query \"SELECT end, count(*) FROM turn GROUP BY end\""));
        return WrongCall;
    }
    const QString wanted = line.has(QStringLiteral("format")) ? line.value(QStringLiteral("format"))
        : ::isatty(STDOUT_FILENO) != 0                        ? QStringLiteral("table")
                                                              : QStringLiteral("jsonl");
    const auto format = RowPrinter::formatNamed(wanted);
    if (!format) {
        printError(QStringLiteral("--format takes table, csv or jsonl"));
        return WrongCall;
    }
    store::LedgerQuery query;
    const auto path = ledgerPath(line);
    if (!path)
        return WrongCall;
    query.path = *path;
    query.statement = line.positional().constFirst();
    return run(query, *format, std::chrono::seconds(*seconds));
}

} // namespace headway::app
