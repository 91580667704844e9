// SPDX-License-Identifier: GPL-3.0-or-later
// `kill -9` at random moments under load (spec/ledger.md, "Store"): every committed batch is there,
// the file passes SQLite's own check, the next start closes what was open, conservation holds.
// HEADWAY_KILLS: how many moments; HEADWAY_KILL_SEED: which ones.
#include "proxy/core/base/random.h"
#include "proxy/store/ledgerstore.h"
#include "proxy/store/ledgerverify.h"
#include "tests/store/sqliterows.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <optional>

using namespace headway;

class LedgerCrashTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void keepsEveryCommittedBatchAndClosesWhatWasOpen_data();
    void keepsEveryCommittedBatchAndClosesWhatWasOpen();
    void cleanupTestCase();

private:
    void beginLedger();
    void killAndCheck(int run);
    quint64 runAndKill(int run);
    void checkAfterTheKill(quint64 committed);
    void checkAfterTheNextStart();

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::optional<base::Random> m_random;
    quint64 m_before = 0; // records before this run
    quint64 m_records = 0; // found after the kill
    ledger::OpenLives m_open;
    std::uint64_t m_died = 0;
    int m_seed = 0;
    // For the last line.
    int m_kills = 0;
    int m_killsAtWork = 0; // with turns open
    int m_killsAtStart = 0; // before anything was committed
    quint64 m_committed = 0;
    std::size_t m_closed = 0;
};

namespace {

// One ledger lives through so many kills; then a new one, or checking all of it again and again
// would take most of the time.
constexpr int killsPerLedger = 5;
constexpr std::size_t processDied = 4; // in ConservationTotals::turnsEnded

int numberFrom(const char *variable, int fallback)
{
    bool isNumber = false;
    const int number = qEnvironmentVariableIntValue(variable, &isNumber);
    return isNumber ? number : fallback;
}

void openAndClose(const QString &path)
{
    store::LedgerOptions options;
    options.path = path;
    store::LedgerStore ledger(options);
    ledger.start();
    ledger.stop();
}

} // namespace

void LedgerCrashTest::beginLedger()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("ledger.sqlite"));
    m_before = 0;
    m_died = 0;
}

// Kills the child at a moment that chance picks: while it opens the file, or so many batches and
// milliseconds later. Returns how many records it had said to be committed.
quint64 LedgerCrashTest::runAndKill(int run)
{
    QProcess child;
    child.start(QStringLiteral(LEDGER_WRITER_CHILD), {m_path, QString::number(1'000'000 * run)});
    if (!child.waitForStarted())
        qFatal("the child cannot be started: %s", qPrintable(child.errorString()));
    const auto commits = static_cast<int>(m_random->next() % 41);
    const auto milliseconds = static_cast<int>(m_random->next() % 30);
    quint64 committed = 0;
    for (int seen = 0; seen < commits;) {
        if (!child.canReadLine() && !child.waitForReadyRead(20'000))
            qFatal("the child is silent: %s", child.readAllStandardError().constData());
        for (; child.canReadLine(); ++seen)
            committed = child.readLine().trimmed().toULongLong();
    }
    if (child.waitForFinished(milliseconds))
        qFatal("the child ended by itself: %s", child.readAllStandardError().constData());
    child.kill(); // SIGKILL
    child.waitForFinished();
    while (child.canReadLine()) // a line that it wrote whole was committed
        committed = child.readLine().trimmed().toULongLong();
    return committed;
}

void LedgerCrashTest::checkAfterTheKill(quint64 committed)
{
    const auto killed = store::verifyLedger(m_path);
    if (!killed && committed == 0 && m_before == 0) { // not even its tables were there
        QCOMPARE(killed.error().code, store::StoreError::Code::CannotOpen);
        m_records = 0;
        m_open = {};
        return;
    }
    QVERIFY2(killed && killed->holds(), qPrintable(killed ? killed->text() : killed.error().text));
    QVERIFY2(killed->totals.records >= m_before + committed, qPrintable(killed->text()));
    QCOMPARE(testsupport::text(m_path, QStringLiteral("PRAGMA integrity_check")),
             QStringLiteral("ok"));
    m_records = killed->totals.records;
    m_open = killed->open;
    QCOMPARE(killed->totals.turnsEnded.at(processDied), m_died);
}

void LedgerCrashTest::checkAfterTheNextStart()
{
    openAndClose(m_path);
    const auto next = store::verifyLedger(m_path);
    QVERIFY2(next && next->holds(), qPrintable(next ? next->text() : next.error().text));
    QCOMPARE(next->open, ledger::OpenLives{});
    QCOMPARE(next->totals.records, m_records + m_open.turns.size() + m_open.requests.size());
    QCOMPARE(next->totals.turnsEnded.at(processDied), m_died + m_open.turns.size());
    m_died = next->totals.turnsEnded.at(processDied);
    m_before = next->totals.records;
    QCOMPARE(testsupport::number(
                 m_path,
                 QStringLiteral("SELECT count(*) FROM turn WHERE \"end\" = 'process_died' "
                                "AND model = 'used' AND session = '0a1b2c3d4e5f'")),
             static_cast<qint64>(m_died));
}

void LedgerCrashTest::killAndCheck(int run)
{
    const quint64 committed = runAndKill(run);
    checkAfterTheKill(committed);
    if (QTest::currentTestFailed())
        return;
    checkAfterTheNextStart();
    ++m_kills;
    m_killsAtWork += m_open.turns.empty() ? 0 : 1;
    m_killsAtStart += committed == 0 ? 1 : 0;
    m_committed += committed;
    m_closed += m_open.turns.size() + m_open.requests.size();
}

void LedgerCrashTest::initTestCase()
{
    m_seed = numberFrom("HEADWAY_KILL_SEED", 20'260'301);
    m_random.emplace(static_cast<std::uint64_t>(m_seed));
}

void LedgerCrashTest::keepsEveryCommittedBatchAndClosesWhatWasOpen_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    const int kills = numberFrom("HEADWAY_KILLS", 50);
    for (int first = 1; first <= kills; first += killsPerLedger) {
        const int last = std::min(first + killsPerLedger - 1, kills);
        QTest::addRow("kills %d to %d of seed %d", first, last, m_seed) << first << last;
    }
}

void LedgerCrashTest::keepsEveryCommittedBatchAndClosesWhatWasOpen()
{
    QFETCH(const int, first);
    QFETCH(const int, last);
    beginLedger();
    for (int run = first; run <= last; ++run) {
        killAndCheck(run);
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(QStringLiteral("after kill %1").arg(run)));
    }
}

void LedgerCrashTest::cleanupTestCase()
{
    qInfo("%d kills (seed %d): %llu records committed, %zu open lives closed, %d with turns open, "
          "%d before the first batch",
          m_kills, m_seed, static_cast<unsigned long long>(m_committed), m_closed, m_killsAtWork,
          m_killsAtStart);
    // Chance must not have picked only moments at which nothing can go wrong.
    QVERIFY(m_killsAtWork > m_kills / 2);
}

QTEST_GUILESS_MAIN(LedgerCrashTest)
#include "tst_ledgercrash.moc"
