// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a ledger of so many records and says how long it takes to ask it:
//
//     bench_ledger [--records 2000000] [--ledger FILE]
//
// A FILE that is there is used as it stands. Prints "name value unit" lines; judges nothing.
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerevidence.h"
#include "proxy/store/ledgerexport.h"
#include "proxy/store/ledgerquery.h"
#include "proxy/store/ledgersearch.h"
#include "proxy/store/ledgerverify.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

using namespace headway;

constexpr base::WallTime begin{std::chrono::seconds(1'772'395'200)}; // 2026-03-01T20:00:00Z

void say(const char *name, double value, const char *unit)
{
    std::printf("%-44s %12.1f %s\n", name, value, unit);
    std::fflush(stdout);
}

template <typename Result>
void orEnd(const Result &result)
{
    if (!result)
        qFatal("%s", qPrintable(result.error().text));
}

ledger::Record of(std::uint64_t life, std::uint64_t step, ledger::Body body)
{
    // 20 turns a second; 200 sessions with some agents each.
    return {.at = begin + base::Milliseconds(life * 50 + step),
            .turn = base::TurnId(life * 0x9E3779B97F4A7C15ULL),
            .session = "session-" + std::to_string(life % 200),
            .agent = life % 3 == 0 ? std::string() : "agent-" + std::to_string(life % 7),
            .body = std::move(body)};
}

ledger::TurnEnded ended(std::uint64_t life)
{
    ledger::TurnEnded turn;
    turn.dialect = "messages";
    turn.modelAsked = "claude-opus";
    turn.model = "gpt-large";
    turn.decision = life % 4 == 0 ? "new_partition_head" : "continuation";
    turn.place = life % 4 == 0 ? "dialled" : "same";
    turn.totalMs = static_cast<double>((life * 7'919) % 60'000);
    turn.inputTokens = life % 100'000;
    turn.end = life % 97 == 0 ? "failed" : "completed";
    turn.reason = "The conversation went on on the connection that held it.";
    return turn;
}

// One life is eight records.
void appendLife(std::vector<ledger::Record> &records, std::uint64_t life)
{
    ledger::Admission admission;
    admission.request = life;
    admission.outcome = "admitted";
    ledger::Connection connection;
    connection.connection = life;
    connection.request = life;
    records.push_back(
        of(life, 0, ledger::TurnStarted{"messages", "claude-opus", "gpt-large", "", life}));
    records.push_back(of(life, 1, ledger::HeadDecided{}));
    records.push_back(of(life, 2, admission));
    connection.event = "dialled";
    records.push_back(of(life, 3, connection));
    connection.event = life % 50 == 0 ? "rejected" : "opened";
    records.push_back(of(life, 4, connection));
    records.push_back(of(life, 5, ledger::Warning{"prompt.cache", "The cache was missed."}));
    records.push_back(of(life, 6, ended(life)));
    connection.event = "closed";
    records.push_back(of(life, 7, connection));
}

void generate(const QString &path, std::uint64_t count)
{
    auto database = store::LedgerDatabase::open(path);
    orEnd(database);
    QElapsedTimer timer;
    timer.start();
    std::vector<ledger::Record> batch;
    for (std::uint64_t life = 1; life <= count / 8; ++life) {
        appendLife(batch, life);
        if (batch.size() >= 1'000) {
            orEnd(database->write(batch));
            batch.clear();
        }
    }
    orEnd(database->write(batch));
    const auto seconds = static_cast<double>(timer.elapsed()) / 1'000;
    say("written", static_cast<double>(count) / seconds, "records/s");
}

template <typename Work>
void measure(const char *name, Work work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    say(name, static_cast<double>(timer.nsecsElapsed()) / 1e6, "ms");
}

void ask(const QString &path, const char *name, const char *statement)
{
    measure(name, [&] {
        orEnd(store::runLedgerQuery({.path = path,
                                     .statement = QString::fromLatin1(statement),
                                     .columns = {},
                                     .row = [](const QVariantList &) { return true; }}));
    });
}

void askEverything(const QString &path)
{
    ask(path, "count every turn", "SELECT count(*) FROM turn");
    ask(path, "newest page", "SELECT * FROM turn ORDER BY seq DESC LIMIT 200");
    ask(path, "page in the middle",
        "SELECT * FROM turn WHERE seq > (SELECT max(seq) / 2 FROM turn) ORDER BY seq LIMIT 200");
    ask(path, "filter: failed turns, newest page",
        "SELECT * FROM turn WHERE \"end\" = 'failed' ORDER BY seq DESC LIMIT 200");
    ask(path, "filter: a word that never occurs",
        "SELECT * FROM turn WHERE reason LIKE '%nowhere%' ORDER BY seq DESC LIMIT 200");
    ask(path, "filter: one session", "SELECT * FROM turn WHERE session = 'session-7' LIMIT 200");
    ask(path, "filter: the records of one turn",
        "SELECT seq FROM connection WHERE turn = 'req_0000000000000001'");
    ask(path, "sort: the 200 longest turns", "SELECT * FROM turn ORDER BY total_ms DESC LIMIT 200");
    ask(path, "a span of time",
        "SELECT count(*) FROM connection WHERE time >= '2026-03-01T21:00' AND time < "
        "'2026-03-01T21:01'");
    ask(path, "group by minute",
        "SELECT substr(time, 1, 16), count(*) FROM connection WHERE event = 'opened' GROUP BY 1");
}

// As the window does it: steps of 50 000 numbers, so that it could stop between any two.
void lookThrough(const QString &path, const char *name, store::LedgerSearch search)
{
    constexpr qint64 step = 50'000;
    const auto extent = store::ledgerExtent(path);
    orEnd(extent);
    qint64 longest = 0;
    measure(name, [&] {
        QElapsedTimer timer;
        for (qint64 from = extent->first; from <= extent->last; from += step) {
            timer.start();
            search.from = from;
            search.to = from + step - 1;
            orEnd(store::searchLedger(path, search));
            longest = std::max(longest, timer.elapsed());
        }
    });
    say("  longest step", static_cast<double>(longest), "ms");
}

void look(const QString &path)
{
    measure("look: how many there are", [&] { orEnd(store::ledgerExtent(path)); });
    measure("look: a page of 128", [&] {
        const auto extent = store::ledgerExtent(path);
        orEnd(extent);
        std::vector<qint64> numbers(128);
        std::iota(numbers.begin(), numbers.end(), extent->last / 2);
        orEnd(store::readRecords(path, numbers));
    });
    lookThrough(path, "look: filter by a word that never occurs",
                {.words = QStringLiteral("nowhere")});
    lookThrough(path, "look: filter by a word of every eighth",
                {.words = QStringLiteral("missed")});
    lookThrough(path, "look: sort by what happened", {.key = store::LedgerKey::Word});
    lookThrough(path, "look: sort by turn", {.key = store::LedgerKey::Turn});
}

void exportEverything(const QString &path, const QString &folder)
{
    const struct
    {
        const char *name;
        store::ExportFormat format;
        const char *file;
    } formats[]{{"export CSV", store::ExportFormat::Csv, "/csv"},
                {"export JSONL", store::ExportFormat::JsonLines, "/all.jsonl"},
                {"export SQLite", store::ExportFormat::Sqlite, "/all.sqlite"}};
    for (const auto &each : formats) {
        QElapsedTimer sinceReport;
        qint64 longest = 0;
        sinceReport.start();
        measure(each.name, [&] {
            orEnd(store::exportLedger({.path = path,
                                       .format = each.format,
                                       .out = folder + QLatin1String(each.file),
                                       .progress = [&](quint64, double) {
                                           longest = std::max(longest, sinceReport.restart());
                                           return true;
                                       }}));
        });
        say("  longest time without a word", static_cast<double>(longest), "ms");
    }
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption records(QStringLiteral("records"), QStringLiteral("How many."),
                                     QStringLiteral("n"), QStringLiteral("2000000"));
    const QCommandLineOption file(QStringLiteral("ledger"), QStringLiteral("Where."),
                                  QStringLiteral("file"));
    parser.addOptions({records, file});
    parser.addHelpOption();
    parser.process(application);
    const QTemporaryDir folder;
    const QString path = parser.isSet(file) ? parser.value(file)
                                            : folder.filePath(QStringLiteral("ledger.sqlite"));
    if (!QFileInfo::exists(path))
        generate(path, parser.value(records).toULongLong());
    say("size", static_cast<double>(QFileInfo(path).size()) / 1'048'576, "MiB");
    askEverything(path);
    look(path);
    measure("evidence", [&] { orEnd(store::readEvidence({.path = path, .rate = 60})); });
    measure("evidence of one hour", [&] {
        orEnd(store::readEvidence({.path = path,
                                   .since = begin + std::chrono::hours(1),
                                   .until = begin + std::chrono::hours(2),
                                   .rate = 60}));
    });
    exportEverything(path, folder.path());
    measure("verify", [&] { orEnd(store::verifyLedger(path)); });
    return EXIT_SUCCESS;
}
