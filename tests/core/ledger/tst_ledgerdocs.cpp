// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/columns.h"

#include <QFile>
#include <QTest>

class LedgerDocsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void describeTheColumnsAsTheyAre();
};

void LedgerDocsTest::describeTheColumnsAsTheyAre()
{
    QFile file(QStringLiteral(HEADWAY_SOURCE_DIR "/resources/docs/ledger.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    const QByteArray heading = "## Kinds\n\n";
    const qsizetype start = page.indexOf(heading);
    QVERIFY(start > 0);
    QCOMPARE(page.mid(start + heading.size()),
             QByteArray::fromStdString(headway::ledger::columnTables()));
}

QTEST_APPLESS_MAIN(LedgerDocsTest)
#include "tst_ledgerdocs.moc"
