// SPDX-License-Identifier: GPL-3.0-or-later
// What policy `auto` must hold over every public scenario, means of ten seeds (spec/pacing.md
// section 7), and cases of cases/reports.md section 1 that need a provider.
#include "proxy/core/pacing/policynames.h"
#include "tests/core/lab/runtools.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>

using namespace headway;
using namespace headway::lab;
using namespace headway::lab::test;

class PublicScenariosTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void autoKeepsItsContract_data();
    void autoKeepsItsContract();
    void eightySessionsPassACapOfFiftySockets();
};

void PublicScenariosTest::autoKeepsItsContract_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(qEnvironmentVariable("HEADWAY_SCENARIOS"));
    const QStringList files = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    QVERIFY2(files.size() >= 12, qPrintable(folder.path()));
    for (const QString &file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void PublicScenariosTest::autoKeepsItsContract()
{
    QFETCH(const QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Scenario scenario = scenarioOf(file.readAll().toStdString());
    const Comparison result = compare(scenario, scenario.settings, pacing::policies, 10);

    double best = 1e9;
    for (const auto &[policy, run] : result.policies) {
        if (policy != pacing::Policy::Auto)
            best = std::min(best, run.cost);
    }
    const RunResult &own = result.policies.back().second;
    QCOMPARE(result.policies.back().first, pacing::Policy::Auto);
    const QByteArray table = QByteArray::fromStdString(comparisonTable(result));
    QVERIFY2(own.cost <= 1.25 * result.oracle.cost + 0.5, table.constData());
    QVERIFY2(own.cost <= 1.05 * best + 0.5, table.constData());
    // No turn lost that the oracle keeps.
    QVERIFY2(own.completed >= result.oracle.completed, table.constData());
}

// B11: the provider rejects when more than 50 sockets are open.
void PublicScenariosTest::eightySessionsPassACapOfFiftySockets()
{
    std::string sessions;
    for (int i = 0; i < 80; ++i)
        sessions += (i == 0 ? "" : ",") + session(1, 1);
    const Comparison result
        = compared(exact(R"({"kind":"concurrent","max":50})", sessions), pacing::Policy::Auto, 10);
    QCOMPARE(result.policies.front().second.completed, 80.0);
    QCOMPARE(result.oracle.completed, 80.0);
}

QTEST_APPLESS_MAIN(PublicScenariosTest)

#include "tst_publicscenarios.moc"
