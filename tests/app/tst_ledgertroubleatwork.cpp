// SPDX-License-Identifier: GPL-3.0-or-later
// A whole proxy whose ledger cannot be written (spec/ledger.md, "Store"): no turn is harmed, it is
// said, nothing is lost in silence, and it goes on when it can.
#include "tests/support/httpcall.h"
#include "tests/support/jsonschema.h"
#include "tests/support/program.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTest>

#include <csignal>
#include <optional>
#include <sys/resource.h>

using headway::tests::HttpCall;
using headway::tests::JsonSchema;
using headway::tests::Program;

class LedgerTroubleAtWorkTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDiskHarmsNoTurnAndEveryRecordIsThereAfterwards();
    void aFullDiskAtTheEndIsSaidInTheEnd();
    void aDamagedFileIsSetAsideAndANewOneBegun();
    void whatItExportsIsWhatTheSchemaPromises();
};

namespace {

const QStringList serveCall{QStringLiteral("serve"),    QStringLiteral("--simulate"),
                            QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                            QStringLiteral("--set"),    QStringLiteral("policy=off")};

QString ledgerIn(const Program &program)
{
    return program.home() + QStringLiteral("/state/headway/ledger.sqlite");
}

void completeTurns(quint16 port, int count)
{
    for (int i = 0; i < count; ++i) {
        HttpCall turn(port, "POST", "/v1/messages", {},
                      R"({"model":"m","max_tokens":9,"stream":true,)"
                      R"("messages":[{"role":"user","content":"hi"}]})");
        QTRY_VERIFY_WITH_TIMEOUT(turn.isComplete(), 20'000);
        QCOMPARE(turn.status(), 200);
        QCOMPARE(turn.events().last(), QByteArray("message_stop"));
    }
}

// No file of that process may grow beyond so many bytes.
void limitFiles(const Program &program, rlim_t bytes)
{
    const rlimit limit{bytes, RLIM_INFINITY};
    QCOMPARE(::prlimit(static_cast<pid_t>(program.pid()), RLIMIT_FSIZE, &limit, nullptr), 0);
}

QList<QByteArray> linesOf(const QByteArray &exported, const QByteArray &kind)
{
    QList<QByteArray> found;
    for (const QByteArray &line : exported.split('\n')) {
        if (line.startsWith(QByteArray("{\"kind\":\"" + kind + "\"")))
            found += line;
    }
    return found;
}

void verify(const Program &home)
{
    Program verification({QStringLiteral("ledger"), QStringLiteral("verify")}, home);
    QCOMPARE(verification.waitForEnd(), 0);
    const QByteArray words = verification.output();
    QVERIFY2(words.contains("no disagreement"), words.constData());
    QVERIFY2(!words.contains("lost"), words.constData());
}

} // namespace

void LedgerTroubleAtWorkTest::aFullDiskHarmsNoTurnAndEveryRecordIsThereAfterwards()
{
    Program serve(serveCall);
    const quint16 port = serve.port();
    completeTurns(port, 2);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(serve.exported(), "turn").size(), 2, 20'000);

    limitFiles(serve, 1);
    completeTurns(port, 5);
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said = serve.errors()).contains("records are kept in memory"),
                             20'000);
    QVERIFY2(!said.contains("lost"), said.constData());
    QCOMPARE(linesOf(serve.exported(), "turn").size(), 2); // what was written can be read

    limitFiles(serve, RLIM_INFINITY);
    QTRY_VERIFY_WITH_TIMEOUT((said = serve.errors()).contains("ledger: written again"), 40'000);
    completeTurns(port, 1);
    serve.send(SIGTERM);
    QCOMPARE(serve.waitForEnd(), 0);
    QCOMPARE(linesOf(serve.exported(), "turn").size(), 8);
    verify(serve);
}

void LedgerTroubleAtWorkTest::aFullDiskAtTheEndIsSaidInTheEnd()
{
    Program serve(serveCall);
    const quint16 port = serve.port();
    completeTurns(port, 1);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(serve.exported(), "turn").size(), 1, 20'000);
    limitFiles(serve, 1);
    completeTurns(port, 1);
    serve.send(SIGTERM);
    QCOMPARE(serve.waitForEnd(), 0); // it ends all the same
    const QByteArray said = serve.errors();
    QVERIFY2(said.contains(" records could not be written and are lost"), said.constData());
    verify(serve); // what was written before is whole
    QCOMPARE(linesOf(serve.exported(), "turn").size(), 1);
}

void LedgerTroubleAtWorkTest::aDamagedFileIsSetAsideAndANewOneBegun()
{
    Program home({QStringLiteral("version")});
    QCOMPARE(home.waitForEnd(), 0);
    const QFileInfo ledger(ledgerIn(home));
    QVERIFY(QDir().mkpath(ledger.path()));
    const QByteArray rubbish(20'000, 'x');
    QFile file(ledger.filePath());
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(rubbish), rubbish.size());
    file.close();

    Program serve(serveCall, home);
    completeTurns(serve.port(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(linesOf(serve.exported(), "turn").size(), 2, 20'000);
    serve.send(SIGTERM);
    QCOMPARE(serve.waitForEnd(), 0);
    const QByteArray said = serve.errors();
    QVERIFY2(said.contains("was damaged; it was set aside as "), said.constData());
    const QStringList aside
        = ledger.dir().entryList({QStringLiteral("ledger.sqlite.damaged-*")}, QDir::Files);
    QCOMPARE(aside.size(), 1);
    QFile kept(ledger.dir().filePath(aside.constFirst()));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), rubbish);
    verify(serve);
}

void LedgerTroubleAtWorkTest::whatItExportsIsWhatTheSchemaPromises()
{
    Program serve(serveCall);
    completeTurns(serve.port(), 3);
    serve.send(SIGTERM);
    QCOMPARE(serve.waitForEnd(), 0);
    QFile file(QStringLiteral(HEADWAY_SOURCE_DIR "/resources/docs/ledger.schema.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const JsonSchema schema(file.readAll());
    const QByteArray exported = serve.exported();
    QVERIFY(exported.count('\n') > 10);
    for (const QByteArray &line : exported.trimmed().split('\n')) {
        const QStringList wrong = schema.violations(line);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString(wrong.join(u'\n') + QString::fromUtf8(line))));
    }
}

QTEST_GUILESS_MAIN(LedgerTroubleAtWorkTest)
#include "tst_ledgertroubleatwork.moc"
