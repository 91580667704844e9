// SPDX-License-Identifier: GPL-3.0-or-later
// spec/safety.md, "What may go out": marker keys of every kind are looked for in everything the
// program leaves, with providers that quote what they were sent. The plan's tokens are looked for
// in tst_plansignin.
#include "tests/support/httpcall.h"
#include "tests/support/program.h"
#include "tests/support/proxyfixture.h"

#include <QDirIterator>
#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <csignal>
#include <memory>

using namespace headway;
using tests::HttpCall;
using tests::messagesBody;
using tests::Program;

namespace {

constexpr const char *upstreamKey = "MARKERupstreamkeyMARKERupstreamkey";
constexpr const char *accessKey = "MARKERaccesskeyMARKERaccesskey";
constexpr const char *controlKey = "MARKERcontrolkeyMARKERcontrolkey";
constexpr const char *clientsKey = "MARKERclientskeyMARKERclientskey";
constexpr const char *wrongKey = "MARKERwrongkeyMARKERwrongkey";

// Answers whatever comes with `status` and all of what it was sent.
class QuotingServer final : public QTcpServer
{
public:
    QuotingServer() { listen(QHostAddress(QHostAddress::LocalHost), 0); }

    int status = 401;
    QByteArray seen;

protected:
    void incomingConnection(qintptr handle) override
    {
        auto *const socket = new QTcpSocket(this);
        socket->setSocketDescriptor(handle);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
            const QByteArray request = socket->peek(socket->bytesAvailable());
            const qsizetype end = request.indexOf("\r\n\r\n");
            if (end < 0)
                return;
            socket->readAll();
            seen += request;
            QByteArray quoted = request.left(end);
            quoted.replace('\r', ' ').replace('\n', ' ').replace('"', ' ');
            const QByteArray body
                = R"({"error":{"code":"c","type":"t","message":"you sent )" + quoted + R"("}})";
            socket->write(
                QByteArray("HTTP/1.1 " + QByteArray::number(status)
                           + " Quoting\r\nContent-Type: application/json\r\nConnection: close\r\n"
                             "Content-Length: "
                           + QByteArray::number(body.size()) + "\r\n\r\n" + body));
            socket->disconnectFromHost();
        });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    }
};

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class SecretsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stayOutOfAllThatComesOut_data();
    void stayOutOfAllThatComesOut();

private:
    [[nodiscard]] Program::Environment environment() const
    {
        const QString base = QStringLiteral("http://127.0.0.1:%1").arg(m_provider.serverPort());
        return {{QStringLiteral("HEADWAY_UPSTREAM"),
                 base + QStringLiteral("/v1/responses,anthropic=") + base},
                {QStringLiteral("HEADWAY_UPSTREAM_KEY"), QLatin1String(upstreamKey)},
                {QStringLiteral("HEADWAY_ACCESS_KEY"), QLatin1String(accessKey)},
                {QStringLiteral("HEADWAY_CONTROL_KEY"), QLatin1String(controlKey)},
                {QStringLiteral("HEADWAY_RETRIES"), QStringLiteral("0")},
                {QStringLiteral("HEADWAY_LOG_LEVEL"), QStringLiteral("debug")}};
    }
    static void askEveryDoor(quint16 port, QByteArray &replies);

    QuotingServer m_provider;
};

void SecretsTest::askEveryDoor(quint16 port, QByteArray &replies)
{
    const QByteArray ours = messagesBody({"hello"});
    const auto wait = [&](HttpCall &call) {
        QTRY_VERIFY_WITH_TIMEOUT(call.isComplete(), 20'000);
        replies += call.body();
    };
    const auto post = [&](const QByteArray &path, const QByteArray &body) {
        HttpCall call(port, "POST", path,
                      {{"content-type", "application/json"}, {"x-headway-key", accessKey}}, body);
        wait(call);
    };
    post("/v1/messages", ours);
    post("/v1/responses", R"({"model":"m","input":"hi","stream":true})");
    post("/v1/chat/completions", R"({"model":"m","messages":[{"role":"user","content":"hi"}]})");
    HttpCall inThePath(port, "POST", QByteArray(QByteArray("/k/") + accessKey + "/v1/messages"),
                       {{"content-type", "application/json"}}, ours);
    wait(inThePath);
    HttpCall wrong(port, "POST", "/v1/messages",
                   {{"content-type", "application/json"}, {"x-api-key", wrongKey}}, ours);
    wait(wrong);
    QCOMPARE(wrong.status(), 401);
    HttpCall state(port, "GET", "/headway/v1/state",
                   {{"authorization", QByteArray("Bearer ") + controlKey}}, {});
    wait(state);
    QCOMPARE(state.status(), 200);
    QVERIFY(!state.body().isEmpty());
    HttpCall models(port, "GET", "/v1/models", {{"x-headway-key", accessKey}}, {});
    wait(models);
}

void SecretsTest::stayOutOfAllThatComesOut_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 401, 403, 404, 429, 500})
        QTest::addRow("%d", status) << status;
}

void SecretsTest::stayOutOfAllThatComesOut()
{
    QFETCH(const int, status);
    m_provider.status = status;
    m_provider.seen.clear();
    Program proxy(
        {QStringLiteral("serve"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")},
        environment());
    const quint16 port = proxy.port();
    QVERIFY(port != 0);
    QByteArray all;
    askEveryDoor(port, all);
    QVERIFY(m_provider.seen.contains(upstreamKey)); // it was quoted to us
    m_provider.seen.clear();

    // Passed through: the client is told what Anthropic tells it, its own key included, but that
    // goes nowhere else.
    QByteArray body = messagesBody({"hello"});
    body.replace("test-model", "claude-test");
    HttpCall relayed(port, "POST", "/v1/messages",
                     {{"content-type", "application/json"},
                      {"x-headway-key", accessKey},
                      {"x-api-key", clientsKey}},
                     body);
    QTRY_VERIFY_WITH_TIMEOUT(relayed.isComplete(), 20'000);
    QCOMPARE(relayed.status(), status);
    QVERIFY(m_provider.seen.contains(clientsKey));
    for (const char *ours : {upstreamKey, accessKey, controlKey})
        QVERIFY2(!m_provider.seen.contains(ours), ours);

    all += contentOf(QStringLiteral("/proc/%1/cmdline").arg(proxy.pid()));
    proxy.send(SIGTERM);
    QCOMPARE(proxy.waitForEnd(), 0);
    all += proxy.output() + proxy.errors() + proxy.exported();
    QVERIFY(all.contains("req_")); // the export is there
    int files = 0;
    QDirIterator entries(proxy.home(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        all += contentOf(entries.next());
        ++files;
    }
    QVERIFY(files >= 2); // the ledger and what names installations
    const qsizetype at = all.indexOf("MARKER");
    QVERIFY2(at < 0, all.mid(qMax(at - 300, 0), 600).constData());
}

QTEST_GUILESS_MAIN(SecretsTest)
#include "tst_secrets.moc"
