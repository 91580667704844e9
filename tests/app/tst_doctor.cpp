// SPDX-License-Identifier: GPL-3.0-or-later
// `headway doctor` from outside: whose port it is (spec/cli.md, "A taken port").
#include "tests/support/program.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTest>

#include <csignal>

using headway::tests::Program;

class DoctorTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsASimulatedHeadwayByItsControlKey();
    void tellsTheUpstreamOfARunningHeadway();
    void tellsAHeadwayOfAnotherInstallationApart();
    void namesTheProgramThatHoldsThePortAndHandsItNoKey();
    void aFreePortIsFine();
    void serveNamesTheOwnerOfItsPort();
};

namespace {

QStringList serveCall(const QStringList &more)
{
    return QStringList{QStringLiteral("serve"), QStringLiteral("--listen"),
                       QStringLiteral("127.0.0.1:0")}
    + more;
}

QStringList doctorCall(quint16 port)
{
    return {QStringLiteral("doctor"), QStringLiteral("--json"), QStringLiteral("--set"),
            QStringLiteral("listen=127.0.0.1:%1").arg(port)};
}

QJsonObject portFinding(Program &doctor)
{
    (void)doctor.waitForEnd();
    const QJsonArray findings = QJsonDocument::fromJson(doctor.output()).array();
    for (const QJsonValue &finding : findings) {
        if (finding[QStringLiteral("check")].toString() == QLatin1String("port"))
            return finding.toObject();
    }
    return {};
}

QString text(const QJsonObject &finding)
{
    return finding.value(QStringLiteral("text")).toString();
}

bool isFine(const QJsonObject &finding)
{
    return finding.value(QStringLiteral("ok")).toBool();
}

} // namespace

void DoctorTest::tellsASimulatedHeadwayByItsControlKey()
{
    Program serve(serveCall({QStringLiteral("--simulate")}));
    Program doctor(doctorCall(serve.port()), serve);
    const QJsonObject finding = portFinding(doctor);
    QVERIFY(isFine(finding));
    QVERIFY2(text(finding).contains(QStringLiteral("pid %1").arg(serve.pid())),
             qPrintable(text(finding)));
    QVERIFY2(text(finding).contains(QStringLiteral("--simulate")), qPrintable(text(finding)));
}

void DoctorTest::tellsTheUpstreamOfARunningHeadway()
{
    Program serve(
        serveCall({QStringLiteral("--upstream"), QStringLiteral("ws://127.0.0.1:9/v1/responses")}));
    Program doctor(doctorCall(serve.port()), serve);
    const QJsonObject finding = portFinding(doctor);
    QVERIFY(isFine(finding));
    QVERIFY2(text(finding).contains(QStringLiteral("upstream 127.0.0.1")),
             qPrintable(text(finding)));
    QVERIFY(!text(finding).contains(QStringLiteral("--simulate")));
}

void DoctorTest::tellsAHeadwayOfAnotherInstallationApart()
{
    Program serve(serveCall({QStringLiteral("--simulate")}));
    const quint16 port = serve.port();
    Program other(serveCall({QStringLiteral("--simulate")})); // makes keys of its own
    (void)other.port();
    Program doctor(doctorCall(port), other);
    const QJsonObject finding = portFinding(doctor);
    QVERIFY(!isFine(finding));
    QVERIFY2(text(finding).contains(QStringLiteral("another control key")),
             qPrintable(text(finding)));
}

void DoctorTest::namesTheProgramThatHoldsThePortAndHandsItNoKey()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    Program made(serveCall({QStringLiteral("--simulate")})); // so that there are keys
    (void)made.port();
    Program doctor(doctorCall(server.serverPort()), made);
    const QJsonObject finding = portFinding(doctor);
    QVERIFY(!isFine(finding));
    QCOMPARE(doctor.waitForEnd(), 1);
    const QString own = QStringLiteral("pid %1").arg(QCoreApplication::applicationPid());
    QVERIFY2(text(finding).contains(own), qPrintable(text(finding)));
    QVERIFY2(text(finding).contains(QStringLiteral("tst_doctor")), qPrintable(text(finding)));
    QVERIFY2(text(finding).contains(QStringLiteral("listen=127.0.0.1:")),
             qPrintable(text(finding)));
    QVERIFY(!server.waitForNewConnection(0));
}

void DoctorTest::aFreePortIsFine()
{
    quint16 port = 0;
    {
        QTcpServer gone;
        QVERIFY(gone.listen(QHostAddress(QHostAddress::LocalHost), 0));
        port = gone.serverPort();
    }
    Program doctor(doctorCall(port));
    const QJsonObject finding = portFinding(doctor);
    QVERIFY2(isFine(finding), qPrintable(text(finding)));
    QVERIFY(doctor.homeEntries().isEmpty()); // it looks, and makes nothing
}

void DoctorTest::serveNamesTheOwnerOfItsPort()
{
    Program first(serveCall({QStringLiteral("--simulate")}));
    const QString address = QStringLiteral("127.0.0.1:%1").arg(first.port());
    Program second({QStringLiteral("serve"), QStringLiteral("--simulate"),
                    QStringLiteral("--listen"), address},
                   first);
    QCOMPARE(second.waitForEnd(), 1);
    const QByteArray errors = second.errors();
    QVERIFY2(errors.contains(QByteArray("pid ").append(QByteArray::number(first.pid()))),
             errors.constData());
    QVERIFY2(errors.contains("--simulate"), errors.constData());
}

QTEST_GUILESS_MAIN(DoctorTest)
#include "tst_doctor.moc"
