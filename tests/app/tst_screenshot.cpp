// SPDX-License-Identifier: GPL-3.0-or-later
// `headway --screenshot` from outside: what it pictures, what it says, and that nothing else is
// printed (spec/cli.md).
#include "tests/support/program.h"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using headway::tests::Program;

class ScreenshotTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutDemoItPicturesAProxyWithoutUpstreamAndSaysSo();
    void withAnUpstreamThereIsNothingToComplainOf();
    void withDemoItSaysNothing();
    void theUsersSettingsAndLedgerAreNotTouched();
    void aWrongSettingEndsTheCall();

private:
    [[nodiscard]] QString picture() const
    {
        return m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction())
                                 + QLatin1String(".png"));
    }
    [[nodiscard]] QStringList call(const QStringList &more = {}) const
    {
        return QStringList{QStringLiteral("--screenshot=") + picture(), QStringLiteral("--after"),
                           QStringLiteral("0")}
        + more;
    }

    QTemporaryDir m_folder;
};

namespace {

// Every line is ours: Qt has nothing to warn of.
bool isOurs(const QByteArray &errors)
{
    const QList<QByteArray> lines = errors.split('\n');
    return std::all_of(lines.begin(), lines.end(), [](const QByteArray &line) {
        return line.isEmpty() || line.startsWith("headway: ");
    });
}

} // namespace

void ScreenshotTest::withoutDemoItPicturesAProxyWithoutUpstreamAndSaysSo()
{
    Program program(call());
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(!QImage(picture()).isNull());
    const QByteArray errors = program.errors();
    QVERIFY2(errors.contains("no upstream is set"), errors.constData());
    QVERIFY2(errors.contains("--demo"), errors.constData());
    QVERIFY2(isOurs(errors), errors.constData());
}

void ScreenshotTest::withAnUpstreamThereIsNothingToComplainOf()
{
    Program program(
        call({QStringLiteral("--set"), QStringLiteral("upstream=ws://127.0.0.1:9/v1/responses")}));
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(!QImage(picture()).isNull());
    QVERIFY2(!program.errors().contains("upstream"), program.errors().constData());
    QCOMPARE(program.errors().count('\n'), 1); // that it is a fresh proxy
}

void ScreenshotTest::withDemoItSaysNothing()
{
    Program program(call({QStringLiteral("--demo")}));
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(!QImage(picture()).isNull());
    QCOMPARE(program.errors(), QByteArray());
}

void ScreenshotTest::theUsersSettingsAndLedgerAreNotTouched()
{
    Program program(
        call({QStringLiteral("--set"), QStringLiteral("upstream=ws://127.0.0.1:9/v1/responses")}));
    QCOMPARE(program.waitForEnd(), 0);
    QVERIFY(program.homeEntries().isEmpty());
}

void ScreenshotTest::aWrongSettingEndsTheCall()
{
    Program program(call({QStringLiteral("--set"), QStringLiteral("policy=fast")}));
    QCOMPARE(program.waitForEnd(), 2);
    QVERIFY2(program.errors().contains("policy"), program.errors().constData());
    QVERIFY(QImage(picture()).isNull());
}

QTEST_GUILESS_MAIN(ScreenshotTest)
#include "tst_screenshot.moc"
