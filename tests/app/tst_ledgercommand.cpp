// SPDX-License-Identifier: GPL-3.0-or-later
// `headway ledger export` from outside: what it takes for a time, and what it says when CSV has
// nowhere to go.
#include "proxy/store/ledgerdatabase.h"
#include "tests/support/program.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace headway;
using tests::Program;

class LedgerCommandTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aDayAloneIsItsLocalMidnight_data();
    void aDayAloneIsItsLocalMidnight();
    void refusesWhatIsNoTime_data();
    void refusesWhatIsNoTime();
    void csvWithoutAPlaceNamesTheRemedy();
    void csvOfOneKindGoesToStandardOutput();
    void csvIntoAFileWritesOnePerKindBesideIt();
    void theNameOfTheFileSaysTheFormat_data();
    void theNameOfTheFileSaysTheFormat();
    void theLedgerThatIsSetIsTaken_data();
    void theLedgerThatIsSetIsTaken();
    void aWrongSettingIsSaid();
    void csvIntoAFolderMakesItForTheOwnerAlone();
    void aSignalCancelsAndLeavesNothing_data();
    void aSignalCancelsAndLeavesNothing();
    void helpNamesTheKindsAndTheFiles();

private:
    [[nodiscard]] QString at(const char *name) const
    {
        return m_folder.filePath(QString::fromLatin1(name));
    }
    [[nodiscard]] QStringList call(const QStringList &more) const
    {
        return QStringList{QStringLiteral("ledger"), QStringLiteral("export"),
                           QStringLiteral("--ledger"), at("ledger.sqlite")}
        + more;
    }

    QTemporaryDir m_folder;
};

// Whether the process writes in that folder: the file may have no name yet.
static bool hasOpen(qint64 pid, const QString &folder)
{
    const QDir descriptors(QStringLiteral("/proc/%1/fd").arg(pid));
    for (const QFileInfo &each : descriptors.entryInfoList(QDir::AllEntries | QDir::System)) {
        if (each.symLinkTarget().startsWith(folder + u'/'))
            return true;
    }
    return false;
}

void LedgerCommandTest::initTestCase()
{
    auto database = store::LedgerDatabase::open(at("ledger.sqlite"));
    QVERIFY(database.has_value());
    // 2026-03-01T20:00:00Z
    const base::WallTime time{std::chrono::seconds{1'772'395'200}};
    const std::vector<ledger::Record> records{
        {.at = time,
         .turn = {},
         .session = {},
         .agent = {},
         .body = ledger::Warning{"notice", "the one record"}}};
    QVERIFY(database->write(records).has_value());
}

void LedgerCommandTest::aDayAloneIsItsLocalMidnight_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("time");
    QTest::addColumn<bool>("exported");
    const auto row = [](const char *option, const char *time, bool exported) {
        QTest::addRow("%s %s", option, time)
            << QString::fromLatin1(option) << QString::fromLatin1(time) << exported;
    };
    // Five and a half hours east of Greenwich (POSIX: minus) the record was made at 01:30 on 2
    // March.
    row("--since", "2026-03-01", true);
    row("--since", "2026-03-02", true);
    row("--since", "2026-03-03", false);
    row("--until", "2026-03-01", false);
    row("--until", "2026-03-02", false);
    row("--until", "2026-03-03", true);
    // A time says itself where it is meant.
    row("--since", "2026-03-01T20:00:00Z", true);
    row("--since", "2026-03-01T20:00:00.001Z", false);
    row("--since", "2026-03-02T01:30:00+05:30", true);
    row("--until", "2026-03-01T20:00:00Z", false);
}

void LedgerCommandTest::aDayAloneIsItsLocalMidnight()
{
    QFETCH(const QString, option);
    QFETCH(const QString, time);
    QFETCH(const bool, exported);
    Program program(call({option, time}),
                    Program::Environment{{QStringLiteral("TZ"), QStringLiteral("TST-05:30")}});
    QCOMPARE(program.waitForEnd(), 0);
    QCOMPARE(program.output().contains("the one record"), exported);
    QCOMPARE(program.errors(), QByteArray());
}

void LedgerCommandTest::refusesWhatIsNoTime_data()
{
    QTest::addColumn<QString>("time");
    for (const char *time : {"", "yesterday", "2026-02-30", "2026-13-01", "2026-3-1", "20260301",
                             "2026-03-01T20:00:00", "2026-03-01Z", "2h", "-1"})
        QTest::newRow(time) << QString::fromLatin1(time);
}

void LedgerCommandTest::refusesWhatIsNoTime()
{
    QFETCH(const QString, time);
    Program program(call({QStringLiteral("--since=") + time}));
    QCOMPARE(program.waitForEnd(), 2);
    QCOMPARE(program.output(), QByteArray());
    QVERIFY2(program.errors().contains("--since takes a day like 2026-11-29"),
             program.errors().constData());
    QCOMPARE(program.errors().count('\n'), 1);
}

void LedgerCommandTest::csvWithoutAPlaceNamesTheRemedy()
{
    Program program(call({QStringLiteral("--format"), QStringLiteral("csv")}));
    QCOMPARE(program.waitForEnd(), 2);
    QCOMPARE(program.output(), QByteArray());
    for (const char *remedy : {"--out FOLDER", "l-KIND.csv", "--kind"})
        QVERIFY2(program.errors().contains(remedy), program.errors().constData());
}

void LedgerCommandTest::csvOfOneKindGoesToStandardOutput()
{
    Program program(call({QStringLiteral("--format"), QStringLiteral("csv"),
                          QStringLiteral("--kind"), QStringLiteral("warning")}));
    QCOMPARE(program.waitForEnd(), 0);
    QCOMPARE(program.output().count("the one record"), 1);
}

void LedgerCommandTest::csvIntoAFileWritesOnePerKindBesideIt()
{
    Program program(
        call({QStringLiteral("--format"), QStringLiteral("csv"), QStringLiteral("--kind"),
              QStringLiteral("warning,turn"), QStringLiteral("--out"), at("l.csv")}));
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(QFileInfo::exists(at("l-warning.csv")));
    QVERIFY(QFileInfo::exists(at("l-turn.csv")));
    QVERIFY(!QFileInfo::exists(at("l.csv")));
}

void LedgerCommandTest::theNameOfTheFileSaysTheFormat_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format"); // empty: not said
    QTest::addColumn<QByteArray>("begins");
    const QByteArray json("{\"kind\":\"warning\"");
    const QByteArray csv("time,");
    const QByteArray sqlite("SQLite format 3");
    QTest::newRow("csv") << QStringLiteral("a.csv") << QString() << csv;
    QTest::newRow("capitals") << QStringLiteral("b.CSV") << QString() << csv;
    QTest::newRow("jsonl") << QStringLiteral("c.jsonl") << QString() << json;
    QTest::newRow("sqlite") << QStringLiteral("d.sqlite") << QString() << sqlite;
    QTest::newRow("another") << QStringLiteral("e.txt") << QString() << json;
    QTest::newRow("said otherwise") << QStringLiteral("f.csv") << QStringLiteral("jsonl") << json;
}

void LedgerCommandTest::theNameOfTheFileSaysTheFormat()
{
    QFETCH(const QString, file);
    QFETCH(const QString, format);
    QFETCH(const QByteArray, begins);
    QStringList more{QStringLiteral("--kind"), QStringLiteral("warning"), QStringLiteral("--out"),
                     m_folder.filePath(file)};
    if (!format.isEmpty())
        more << QStringLiteral("--format") << format;
    Program program(call(more));
    QCOMPARE(program.waitForEnd(), 0);
    QFile written(m_folder.filePath(file));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QByteArray text = written.readAll();
    if (text.startsWith("\xEF\xBB\xBF"))
        text.remove(0, 3);
    QVERIFY2(text.startsWith(begins), text.left(60).constData());
}

void LedgerCommandTest::theLedgerThatIsSetIsTaken_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("export") << QStringList{QStringLiteral("export")}
                            << QByteArray("the one record");
    QTest::newRow("query") << QStringList{QStringLiteral("query"),
                                          QStringLiteral("SELECT text FROM warning")}
                           << QByteArray("the one record");
    QTest::newRow("verify") << QStringList{QStringLiteral("verify")} << QByteArray("1 warning");
    QTest::newRow("evidence") << QStringList{QStringLiteral("evidence")} << QByteArray("minute");
}

void LedgerCommandTest::theLedgerThatIsSetIsTaken()
{
    QFETCH(const QStringList, command);
    QFETCH(const QByteArray, says);
    Program program(
        QStringList{QStringLiteral("ledger")} + command
        + QStringList{QStringLiteral("--set"), QStringLiteral("ledger=") + at("ledger.sqlite")});
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY2(program.output().contains(says), program.output().constData());
}

void LedgerCommandTest::aWrongSettingIsSaid()
{
    Program program({QStringLiteral("ledger"), QStringLiteral("verify"), QStringLiteral("--set"),
                     QStringLiteral("ledgr=x")});
    QCOMPARE(program.waitForEnd(), 2);
    QVERIFY2(program.errors().contains("ledgr"), program.errors().constData());
}

void LedgerCommandTest::csvIntoAFolderMakesItForTheOwnerAlone()
{
    const QString out = at("new/export");
    Program program(
        call({QStringLiteral("--format"), QStringLiteral("csv"), QStringLiteral("--out"), out}));
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(QFileInfo::exists(out + QLatin1String("/warning.csv")));
    constexpr QFileDevice::Permissions others = QFileDevice::ReadGroup | QFileDevice::WriteGroup
        | QFileDevice::ExeGroup | QFileDevice::ReadOther | QFileDevice::WriteOther
        | QFileDevice::ExeOther;
    QVERIFY(!(QFileInfo(out).permissions() & others));
}

void LedgerCommandTest::aSignalCancelsAndLeavesNothing_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("out");
    for (const char *format : {"jsonl", "csv", "sqlite"}) {
        const QString name = QString::fromLatin1(format);
        QTest::newRow(format) << name << QString(QStringLiteral("cancelled.") + name);
    }
}

// Writing beside the name has begun when the signal comes.
void LedgerCommandTest::aSignalCancelsAndLeavesNothing()
{
    QFETCH(const QString, format);
    QFETCH(const QString, out);
    const QTemporaryDir folder;
    const QString ledger = folder.filePath(QStringLiteral("large.sqlite"));
    {
        auto database = store::LedgerDatabase::open(ledger);
        QVERIFY(database.has_value());
        const ledger::Record record{.at = {},
                                    .turn = {},
                                    .session = {},
                                    .agent = {},
                                    .body = ledger::Warning{"key", std::string(100, 't')}};
        const std::vector<ledger::Record> records(10'000, record);
        for (int i = 0; i < 10; ++i)
            QVERIFY(database->write(records).has_value());
    }
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("out")));
    Program program({QStringLiteral("ledger"), QStringLiteral("export"), QStringLiteral("--ledger"),
                     ledger, QStringLiteral("--format"), format, QStringLiteral("--kind"),
                     QStringLiteral("warning"), QStringLiteral("--out"),
                     folder.filePath(QStringLiteral("out/") + out)});
    const QDir target(folder.filePath(QStringLiteral("out")));
    // Looked at without a pause: an export of this size is over between two looks of QTRY_VERIFY.
    const QDeadlineTimer patience(20'000);
    while (!hasOpen(program.pid(), target.path()) && !patience.hasExpired()) {
    }
    QVERIFY(program.pid() > 0);
    program.send(SIGINT);
    QCOMPARE(program.waitForEnd(), 1);
    QVERIFY2(program.errors().contains("cancelled"), program.errors().constData());
    QVERIFY(target.isEmpty(QDir::Files | QDir::Hidden));
}

void LedgerCommandTest::helpNamesTheKindsAndTheFiles()
{
    Program program({QStringLiteral("ledger"), QStringLiteral("export"), QStringLiteral("--help")});
    QCOMPARE(program.waitForEnd(), 0);
    const QByteArray help = program.output();
    for (const char *word : {"l-KIND.csv", "head_decision", "local midnight"})
        QVERIFY2(help.simplified().contains(word), help.constData());
}

QTEST_GUILESS_MAIN(LedgerCommandTest)
#include "tst_ledgercommand.moc"
