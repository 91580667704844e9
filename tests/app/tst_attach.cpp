// SPDX-License-Identifier: GPL-3.0-or-later
// `headway attach` from outside, on a real `headway serve --simulate`.
#include "tests/support/program.h"

#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using headway::tests::Program;

class AttachTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theKeyOfThisMachineIsEnoughForAPicture();
    void aWrongKeyIsPicturedToo();
    void whatIsWrongWithACallIsSaid_data();
    void whatIsWrongWithACallIsSaid();
    void helpSaysWhereTheKeyComesFrom();

private:
    [[nodiscard]] QString picture() const
    {
        return m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction())
                                 + QLatin1String(".png"));
    }
    [[nodiscard]] QStringList call(quint16 port) const
    {
        return {QStringLiteral("attach"),       QStringLiteral("ws://127.0.0.1:%1").arg(port),
                QStringLiteral("--screenshot"), picture(),
                QStringLiteral("--after"),      QStringLiteral("1")};
    }

    QTemporaryDir m_folder;
};

namespace {

const QStringList serve{QStringLiteral("serve"), QStringLiteral("--simulate"),
                        QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")};

// How many pixels have the colour of the bar that tells of trouble (spec/window.md: failed, light).
int troubled(const QString &file)
{
    const QImage image(file);
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == 0xff882e24 ? 1 : 0;
    }
    return count;
}

} // namespace

void AttachTest::theKeyOfThisMachineIsEnoughForAPicture()
{
    Program proxy(serve);
    const quint16 port = proxy.port();
    QVERIFY(port != 0);
    Program window(call(port), proxy);
    QCOMPARE(window.waitForEnd(), 0);
    const QImage image(picture());
    QCOMPARE(image.size(), QSize(1440, 900));
    QVERIFY2(troubled(picture()) < 2'000, "the bar of a lost connection is there");
    QCOMPARE(window.errors(), QByteArray());
}

void AttachTest::aWrongKeyIsPicturedToo()
{
    Program proxy(serve);
    const Program::Environment wrong{
        {QStringLiteral("HEADWAY_CONTROL_KEY"), QStringLiteral("not-this-one")}};
    Program window(call(proxy.port()), wrong);
    QCOMPARE(window.waitForEnd(), 1); // for a script: it is no picture of the proxy
    QVERIFY2(window.errors().contains("the picture shows no proxy: "), window.errors().constData());
    QVERIFY2(troubled(picture()) > 10'000, "the bar of a lost connection is missing");
}

void AttachTest::whatIsWrongWithACallIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("no address") << QStringList() << QByteArray("takes the address");
    QTest::newRow("plain elsewhere") << QStringList{QStringLiteral("ws://proxy.example:17421")}
                                     << QByteArray("for this machine only");
    QTest::newRow("no key") << QStringList{QStringLiteral("wss://proxy.example:17421")}
                            << QByteArray("HEADWAY_CONTROL_KEY");
    QTest::newRow("no such view") << QStringList{
        QStringLiteral("wss://proxy.example"), QStringLiteral("--set"),
        QStringLiteral("control_key=x"), QStringLiteral("--view"),
        QStringLiteral("moon")} << QByteArray("--view takes");
}

void AttachTest::whatIsWrongWithACallIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, error);
    Program program(QStringList{QStringLiteral("attach"), QStringLiteral("--screenshot"), picture()}
                    + arguments);
    QCOMPARE(program.waitForEnd(), 2);
    QVERIFY2(program.errors().contains(error), program.errors().constData());
    QVERIFY(!QFile::exists(picture()));
}

void AttachTest::helpSaysWhereTheKeyComesFrom()
{
    Program program({QStringLiteral("attach"), QStringLiteral("--help")});
    QCOMPARE(program.waitForEnd(), 0);
    const QByteArray help = program.output().simplified();
    QVERIFY(help.contains("HEADWAY_CONTROL_KEY"));
    QVERIFY(help.contains("keys.ini"));
    QVERIFY(help.contains("can see it"));
    QVERIFY(help.contains("wss://HOST:PORT"));
}

QTEST_GUILESS_MAIN(AttachTest)
#include "tst_attach.moc"
