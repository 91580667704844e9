// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"

#include <QTest>

using headway::tests::Program;

class DisplayTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhyThereIsNoWindow_data();
    void saysWhyThereIsNoWindow();
};

void DisplayTest::saysWhyThereIsNoWindow_data()
{
    QTest::addColumn<QString>("x11");
    QTest::addColumn<QString>("wayland");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("set to nothing") << "" << "" << QByteArray("neither DISPLAY nor WAYLAND_DISPLAY");
    QTest::newRow("a server that is not there")
        << ":4711" << "" << QByteArray("DISPLAY is \":4711\", which does not answer");
    QTest::newRow("no display name at all")
        << "nonsense" << "" << QByteArray("DISPLAY is \"nonsense\"");
    QTest::newRow("a compositor that is not there")
        << "" << "wayland-4711" << QByteArray("WAYLAND_DISPLAY is \"wayland-4711\"");
}

void DisplayTest::saysWhyThereIsNoWindow()
{
    QFETCH(QString, x11);
    QFETCH(QString, wayland);
    QFETCH(QByteArray, reason);
    Program program({}, {{QStringLiteral("QT_QPA_PLATFORM"), QString()},
                         {QStringLiteral("DISPLAY"), x11},
                         {QStringLiteral("WAYLAND_DISPLAY"), wayland}});
    QCOMPARE(program.waitForEnd(), 1);
    const QByteArray errors = program.errors();
    QVERIFY2(errors.contains(reason), errors.constData());
    QVERIFY2(errors.contains("headway serve"), errors.constData());
}

QTEST_GUILESS_MAIN(DisplayTest)
#include "tst_display.moc"
