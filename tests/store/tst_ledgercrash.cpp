// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/random.h"
#include "proxy/store/ledgerstore.h"
#include "proxy/store/ledgerverify.h"
#include "tests/store/sqliterows.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;

class LedgerCrashTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsEveryCommittedBatchAndClosesWhatWasOpen();

private:
    quint64 runAndKill(const QString &path, int run, int commits);
};

namespace {

constexpr int runs = 10;

void openAndClose(const QString &path)
{
    store::LedgerOptions options;
    options.path = path;
    store::LedgerStore ledger(options);
    ledger.start();
    ledger.stop();
}

} // namespace

// Lets the child commit so many batches, kills it at once, and returns what it had said.
quint64 LedgerCrashTest::runAndKill(const QString &path, int run, int commits)
{
    QProcess child;
    child.start(QStringLiteral(LEDGER_WRITER_CHILD), {path, QString::number(1'000'000 * run)});
    quint64 committed = 0;
    for (int seen = 0; seen < commits;) {
        if (!child.canReadLine() && !child.waitForReadyRead(20'000))
            qFatal("the child is silent: %s", child.readAllStandardError().constData());
        for (; child.canReadLine(); ++seen)
            committed = child.readLine().trimmed().toULongLong();
    }
    child.kill(); // SIGKILL
    child.waitForFinished();
    while (child.canReadLine())
        committed = child.readLine().trimmed().toULongLong();
    return committed;
}

void LedgerCrashTest::keepsEveryCommittedBatchAndClosesWhatWasOpen()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ledger.sqlite"));
    base::Random random(20'260'301);
    quint64 before = 0;
    for (int run = 1; run <= runs; ++run) {
        const int commits = 1 + static_cast<int>(random.next() % 40);
        const quint64 committed = runAndKill(path, run, commits);
        QVERIFY(committed > 0);

        const auto killed = store::verifyLedger(path);
        QVERIFY2(killed.has_value() && killed->holds(),
                 qPrintable(killed ? killed->text() : killed.error().text));
        QVERIFY(killed->totals.records >= before + committed);
        QCOMPARE(testsupport::text(path, QStringLiteral("PRAGMA integrity_check")),
                 QStringLiteral("ok"));

        openAndClose(path); // the next start
        const auto next = store::verifyLedger(path);
        QVERIFY2(next.has_value() && next->holds(),
                 qPrintable(next ? next->text() : next.error().text));
        QCOMPARE(next->open, ledger::OpenLives{});
        const std::size_t open = killed->open.turns.size() + killed->open.requests.size();
        QCOMPARE(next->totals.records, killed->totals.records + open);
        QCOMPARE(next->totals.turnsEnded.at(4) - killed->totals.turnsEnded.at(4),
                 std::uint64_t{killed->open.turns.size()});
        before = next->totals.records;
    }
    const QString closed = QStringLiteral(
        "SELECT count(*) FROM turn WHERE \"end\" = 'process_died' AND model = 'used' "
        "AND session = '0a1b2c3d4e5f'");
    QVERIFY(testsupport::number(path, closed) > 0);
}

QTEST_GUILESS_MAIN(LedgerCrashTest)
#include "tst_ledgercrash.moc"
