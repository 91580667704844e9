// SPDX-License-Identifier: GPL-3.0-or-later
// A POST answered with server-sent events, over real sockets (spec/heads.md section 8,
// spec/safety.md, cases B32, B36).
#include "proxy/net/upstream/eventstreamcall.h"
#include "tests/net/upstream/httppeer.h"
#include "tests/net/upstream/outboundenvironment.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace headway::testing;
using headway::net::EventStreamCall;
using headway::net::HttpsConnection;
using headway::net::HttpsExchange;
using headway::net::UpgradeReply;
using namespace std::chrono_literals;

namespace {

// Everything a call tells, in order.
struct Heard : public QObject
{
    explicit Heard(EventStreamCall &call)
    {
        connect(&call, &EventStreamCall::connected, this, [this] { order += "connected "; });
        connect(&call, &EventStreamCall::sent, this, [this] { wasSent = true; });
        connect(&call, &EventStreamCall::accepted, this, [this] { order += "accepted "; });
        connect(&call, &EventStreamCall::refused, this, [this](const UpgradeReply &reply) {
            order += "refused ";
            refusal = reply;
        });
        connect(&call, &EventStreamCall::received, this, [this, &call](std::string_view data) {
            if (events.isEmpty())
                order += "events ";
            events.append(QByteArray(data.data(), static_cast<qsizetype>(data.size())));
            if (pauseAt == events.size())
                call.setReadingPaused(true);
        });
        connect(&call, &EventStreamCall::ended, this, [this] { order += "ended "; });
        connect(&call, &EventStreamCall::failed, this,
                [this](HttpsExchange::Stage where, const QString &why) {
                    order += "failed ";
                    stage = where;
                    reason = why;
                });
    }

    QByteArray order;
    QByteArrayList events;
    UpgradeReply refusal;
    QString reason;
    HttpsExchange::Stage stage = HttpsExchange::Stage::Connecting;
    qsizetype pauseAt = -1;
    bool wasSent = false;
};

} // namespace

class EventStreamCallTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void postsJsonAndAsksForEvents();
    void tellsEventsAsTheyArrive();
    void readsOneByteAtATime();
    void tellsARefusalWithItsHeadersAndBody_data();
    void tellsARefusalWithItsHeadersAndBody();
    void keeps64KiBOfARefusal();
    void doesNotWaitForTheBodyOfARefusalForever();
    void doesNotFollowARedirect();
    void carriesALargeBodyAndALargeEvent();
    void failsOnAnEventThatIsTooLarge();
    void tellsWhereItFailed_data();
    void tellsWhereItFailed();
    void tellsARefusedConnection();
    void noticesAResetInTheMiddle();
    void tellsAStreamThatIsCutOff();
    void holdsBackWhilePaused();
    void endsInOrderAfterAPause();
    void failsWhenNothingIsHeard();
    void doesNotCountAPauseAsSilence();
    void goesSilentlyWhenAborted();
    void abortsWhileConnecting();
    void reusesItsConnection();
    void doesNotReuseAConnectionThatIsOver_data();
    void doesNotReuseAConnectionThatIsOver();
    void readsAnAnswerThatComesBeforeTheEndOfTheRequest();
    void verifiesTheServer();
    void worksOverTls();

private:
    void trust(const QByteArray &pem);

    QTemporaryDir m_folder;
    TestAuthority m_authority;
};

void EventStreamCallTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    clearOutboundEnvironment();
}

void EventStreamCallTest::trust(const QByteArray &pem)
{
    static int number = 0;
    QFile file(m_folder.filePath(QStringLiteral("authority%1.pem").arg(++number)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(pem);
    file.close();
    qputenv("SSL_CERT_FILE", file.fileName().toUtf8());
}

void EventStreamCallTest::postsJsonAndAsksForEvents()
{
    HttpPeer peer(
        [](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n") + chunk({}); });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {{"X-Own", "yes"}}, "{\"a\":1}");
    QCOMPARE(heard.order, QByteArray());
    QTRY_VERIFY(heard.order.contains("ended"));
    QCOMPARE(heard.order, QByteArray("connected accepted events ended "));
    QVERIFY(heard.wasSent);
    QCOMPARE(heard.events, QByteArrayList{"1"});
    QCOMPARE(peer.requests.size(), 1);
    const QByteArray head = peer.requests[0].head;
    QVERIFY(head.startsWith("POST /v1/responses HTTP/1.1\r\nHost: 127.0.0.1:"));
    for (const char *line :
         {"\r\nContent-Type: application/json\r\n", "\r\nAccept: text/event-stream\r\n",
          "\r\nX-Own: yes\r\n", "\r\nAuthorization: Bearer sk-secret\r\n",
          "\r\nContent-Length: 7\r\n"})
        QCOMPARE(head.count(line), 1);
    QVERIFY(!head.toLower().contains("upgrade"));
    QCOMPARE(peer.requests[0].body, QByteArray("{\"a\":1}"));
    QVERIFY(call.bytesUp() >= static_cast<std::uint64_t>(head.size()) + 7);
}

void EventStreamCallTest::tellsEventsAsTheyArrive()
{
    HttpPeer peer([](const auto &) -> QByteArray {
        return streamHead + chunk("event: x\ndata: 1\n\ndata: ");
    });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events, QByteArrayList{"1"});
    peer.socket->write(chunk("2\n\n"));
    QTRY_COMPARE(heard.events, (QByteArrayList{"1", "2"}));
    QVERIFY(!heard.order.contains("ended"));
    peer.socket->write(chunk("data: [DONE]\n\n") + chunk({}));
    QTRY_VERIFY(heard.order.contains("ended"));
    QCOMPARE(heard.events.size(), 2); // the mark is not an event
}

void EventStreamCallTest::readsOneByteAtATime()
{
    HttpPeer peer([](const auto &) -> QByteArray { return QByteArray(); });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(peer.requests.size(), 1);
    const QByteArray answer
        = streamHead + chunk("data: {\"n\":1}\n\nda") + chunk("ta: {\"n\":2}\r\n\r\n") + chunk({});
    for (const char byte : answer) {
        const auto before = call.bytesDown();
        peer.socket->write(&byte, 1);
        QTRY_VERIFY(call.bytesDown() == before + 1);
    }
    QTRY_COMPARE(heard.order, QByteArray("connected accepted events ended "));
    QCOMPARE(heard.events, (QByteArrayList{"{\"n\":1}", "{\"n\":2}"}));
}

void EventStreamCallTest::tellsARefusalWithItsHeadersAndBody_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("429") << QByteArray("HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 2"
                                       "\r\n\r\n{}")
                         << 429 << QByteArray("{}");
    QTest::newRow("403, empty") << QByteArray("HTTP/1.1 403 No\r\nRetry-After: 7\r\n"
                                              "Content-Length: 0\r\n\r\n")
                                << 403 << QByteArray();
    QTest::newRow("400 in chunks")
        << QByteArray("HTTP/1.1 400 Bad\r\nretry-after: 7\r\nTransfer-Encoding: chunked\r\n\r\n")
            + chunk("{\"error\"") + chunk(":1}") + chunk({})
        << 400 << QByteArray("{\"error\":1}");
    QTest::newRow("200 without events")
        << QByteArray("HTTP/1.1 200 OK\r\nRetry-After: 7\r\nContent-Type: application/json\r\n"
                      "Content-Length: 2\r\n\r\n{}")
        << 200 << QByteArray("{}");
    QTest::newRow("events with another status")
        << QByteArray("HTTP/1.1 500 Oh\r\nRetry-After: 7\r\nContent-Type: text/event-stream\r\n"
                      "Content-Length: 9\r\n\r\ndata: 1\n\n")
        << 500 << QByteArray("data: 1\n\n");
}

void EventStreamCallTest::tellsARefusalWithItsHeadersAndBody()
{
    QFETCH(const QByteArray, answer);
    HttpPeer peer([&](const auto &) -> QByteArray { return answer; });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.order, QByteArray("connected refused "));
    QTEST(heard.refusal.status, "status");
    QTEST(QByteArray::fromStdString(heard.refusal.body), "body");
    QCOMPARE(heard.refusal.header("retry-after"), std::string_view("7"));
    QVERIFY(call.takeConnection() != nullptr); // it may be used again
}

void EventStreamCallTest::keeps64KiBOfARefusal()
{
    HttpPeer peer([](const auto &) -> QByteArray {
        return "HTTP/1.1 500 Oh\r\nContent-Length: 1000000\r\n\r\n" + QByteArray(1000000, 'x');
    });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.order, QByteArray("connected refused "));
    QCOMPARE(heard.refusal.body.size(), std::size_t{65536});
    QVERIFY(call.takeConnection() == nullptr);
}

void EventStreamCallTest::doesNotWaitForTheBodyOfARefusalForever()
{
    HttpPeer peer([](const auto &) -> QByteArray {
        return QByteArray("HTTP/1.1 429 Slow\r\nContent-Length: 1000\r\n\r\n{");
    });
    EventStreamCall call;
    Heard heard(call);
    QElapsedTimer timer;
    timer.start();
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE_WITH_TIMEOUT(heard.order, QByteArray("connected refused "), 10'000);
    QVERIFY(timer.elapsed() >= 4700); // a coarse timer may be 5 % early
    QCOMPARE(heard.refusal.status, 429);
}

void EventStreamCallTest::doesNotFollowARedirect()
{
    HttpPeer other(
        [](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n") + chunk({}); });
    HttpPeer peer([&](const auto &) -> QByteArray {
        return QByteArray("HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:")
            + QByteArray::number(other.serverPort()) + "/\r\nContent-Length: 0\r\n\r\n";
    });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.order, QByteArray("connected refused "));
    QCOMPARE(heard.refusal.status, 307);
    QCOMPARE(other.connections, 0);
}

void EventStreamCallTest::carriesALargeBodyAndALargeEvent()
{
    const QByteArray large = QByteArray("0123456789abcdef").repeated(1 << 20); // 16 MiB
    HttpPeer peer([&](const auto &request) -> QByteArray {
        return request.body == large
            ? streamHead + chunk("data: " + large + "\n\n") + chunk("data: 2\n\n") + chunk({})
            : QByteArray("HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n");
    });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, large.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(heard.order, QByteArray("connected accepted events ended "), 30'000);
    QVERIFY(heard.events.size() == 2 && heard.events[0] == large && heard.events[1] == "2");
}

void EventStreamCallTest::failsOnAnEventThatIsTooLarge()
{
    HttpPeer peer([](const auto &) -> QByteArray {
        return streamHead + chunk("data: 1\n\ndata: " + QByteArray((32 << 20) + 1, 'x'));
    });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE_WITH_TIMEOUT(heard.order, QByteArray("connected accepted events failed "), 30'000);
    QVERIFY2(heard.reason.contains(QStringLiteral("32 MiB")), qPrintable(heard.reason));
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
}

void EventStreamCallTest::tellsWhereItFailed_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("says");
    QTest::newRow("garbage") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n")
                             << QStringLiteral("not HTTP/1.1");
    QTest::newRow("a head without end") << QByteArray("HTTP/1.1 200 OK\r\nX: ")
            + QByteArray(200000, 'x') << QStringLiteral("64 KiB");
    QTest::newRow("101") << QByteArray("HTTP/1.1 101 S\r\nUpgrade: h2c\r\nConnection: Upgrade"
                                       "\r\n\r\n")
                         << QStringLiteral("without being asked");
    QTest::newRow("a bad chunk") << streamHead + QByteArray("zz\r\n")
                                 << QStringLiteral("not HTTP/1.1");
}

void EventStreamCallTest::tellsWhereItFailed()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const QString, says);
    HttpPeer peer([&](const auto &) -> QByteArray { return answer; });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_VERIFY(heard.order.endsWith("failed "));
    QCOMPARE(heard.stage, HttpsExchange::Stage::Exchanging);
    QVERIFY2(heard.reason.contains(says), qPrintable(heard.reason));
    QVERIFY2(heard.reason.contains(QString::number(peer.serverPort())), qPrintable(heard.reason));
}

void EventStreamCallTest::tellsARefusedConnection()
{
    headway::net::Endpoint endpoint;
    {
        HttpPeer gone([](const auto &) -> QByteArray { return QByteArray(); });
        endpoint = gone.endpoint();
    }
    EventStreamCall call;
    Heard heard(call);
    call.start(endpoint, {}, "{}");
    QTRY_COMPARE(heard.order, QByteArray("failed "));
    QCOMPARE(heard.stage, HttpsExchange::Stage::Connecting);
    QVERIFY(heard.reason.contains(QStringLiteral("refused the connection")));
}

void EventStreamCallTest::noticesAResetInTheMiddle()
{
    HttpPeer peer([](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n"); });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events.size(), 1);
    peer.reset();
    QTRY_COMPARE_WITH_TIMEOUT(heard.order, QByteArray("connected accepted events failed "), 1000);
    QCOMPARE(heard.stage, HttpsExchange::Stage::Exchanging);
}

void EventStreamCallTest::tellsAStreamThatIsCutOff()
{
    HttpPeer peer([](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n"); });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events.size(), 1);
    peer.socket->disconnectFromHost();
    QTRY_COMPARE(heard.order, QByteArray("connected accepted events failed "));
    QVERIFY2(heard.reason.contains(QStringLiteral("ended inside the answer")),
             qPrintable(heard.reason));
}

void EventStreamCallTest::holdsBackWhilePaused()
{
    constexpr int count = 30'000;
    const QByteArray event = chunk("data: " + QByteArray(1024, 'x') + "\n\n");
    HttpPeer peer(
        [&](const auto &) -> QByteArray { return streamHead + event.repeated(count) + chunk({}); });
    EventStreamCall call;
    Heard heard(call);
    heard.pauseAt = 3;
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events.size(), 3);
    qint64 left = -1;
    while (left != peer.socket->bytesToWrite()) {
        left = peer.socket->bytesToWrite();
        for (int i = 0; i < 100; ++i)
            QCoreApplication::processEvents();
    }
    QVERIFY(left > 0); // the provider is held back by TCP
    QCOMPARE(heard.events.size(), 3);
    call.setReadingPaused(false);
    QTRY_COMPARE_WITH_TIMEOUT(heard.events.size(), count, 30'000);
    QTRY_VERIFY(heard.order.endsWith("ended "));
}

void EventStreamCallTest::endsInOrderAfterAPause()
{
    HttpPeer peer([](const auto &) -> QByteArray {
        return streamHead + chunk("data: 1\n\ndata: 2\n\ndata: 3\n\n") + chunk({});
    });
    EventStreamCall call;
    Heard heard(call);
    heard.pauseAt = 1;
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events.size(), 1);
    for (int i = 0; i < 100; ++i)
        QCoreApplication::processEvents();
    QCOMPARE(heard.order, QByteArray("connected accepted events "));
    heard.pauseAt = 2;
    call.setReadingPaused(false);
    QTRY_COMPARE(heard.events.size(), 2);
    QVERIFY(!heard.order.endsWith("ended "));
    call.setReadingPaused(false);
    QTRY_COMPARE(heard.order, QByteArray("connected accepted events ended "));
    QCOMPARE(heard.events, (QByteArrayList{"1", "2", "3"}));
    QVERIFY(call.takeConnection() != nullptr);
}

void EventStreamCallTest::failsWhenNothingIsHeard()
{
    HttpPeer peer([](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n"); });
    EventStreamCall call;
    Heard heard(call);
    call.setIdleTimeout(300ms);
    QElapsedTimer timer;
    timer.start();
    call.start(peer.endpoint(), {}, "{}");
    QTRY_VERIFY(heard.order.endsWith("failed "));
    QVERIFY(timer.elapsed() >= 290);
    QVERIFY2(heard.reason.contains(QStringLiteral("silent for 0.3 s")), qPrintable(heard.reason));
}

void EventStreamCallTest::doesNotCountAPauseAsSilence()
{
    HttpPeer peer([](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n"); });
    EventStreamCall call;
    Heard heard(call);
    heard.pauseAt = 1;
    call.setIdleTimeout(100ms);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events.size(), 1);
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY(timer.elapsed() > 400);
    QVERIFY(!heard.order.endsWith("failed "));
    call.setReadingPaused(false);
    QTRY_VERIFY(heard.order.endsWith("failed "));
}

void EventStreamCallTest::goesSilentlyWhenAborted()
{
    HttpPeer peer([](const auto &) -> QByteArray { return streamHead + chunk("data: 1\n\n"); });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.events.size(), 1);
    QElapsedTimer timer;
    timer.start();
    call.abort();
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
    QVERIFY(timer.elapsed() < 1000); // spec/safety.md: within 1 s
    QCOMPARE(heard.order, QByteArray("connected accepted events "));
}

void EventStreamCallTest::abortsWhileConnecting()
{
    HttpPeer peer([](const auto &) -> QByteArray { return QByteArray(); });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    call.abort();
    for (int i = 0; i < 100; ++i)
        QCoreApplication::processEvents();
    QCOMPARE(heard.order, QByteArray());
    QCOMPARE(peer.requests.size(), 0);
}

void EventStreamCallTest::reusesItsConnection()
{
    HttpPeer peer([](const auto &request) -> QByteArray {
        return streamHead + chunk("data: " + request.body + "\n\n") + chunk({});
    });
    std::unique_ptr<HttpsConnection> kept;
    for (const QByteArray body : {"1", "2", "3"}) {
        EventStreamCall call;
        Heard heard(call);
        call.start(peer.endpoint(), {}, body.toStdString(), std::move(kept));
        QTRY_COMPARE(heard.order, QByteArray("connected accepted events ended "));
        QCOMPARE(heard.events, QByteArrayList{body});
        kept = call.takeConnection();
        QVERIFY(kept != nullptr);
    }
    QCOMPARE(peer.connections, 1);
    QCOMPARE(peer.requests.size(), 3);
}

void EventStreamCallTest::doesNotReuseAConnectionThatIsOver_data()
{
    QTest::addColumn<QByteArray>("answer");
    const QByteArray head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
    QTest::newRow("the server says so")
        << head + "Connection: close\r\nContent-Length: 9\r\n\r\ndata: 1\n\n";
    QTest::newRow("more than the answer came")
        << head + "Content-Length: 9\r\n\r\ndata: 1\n\nHTTP/1.1 200 OK\r\n";
}

void EventStreamCallTest::doesNotReuseAConnectionThatIsOver()
{
    QFETCH(const QByteArray, answer);
    HttpPeer peer([&](const auto &) -> QByteArray { return answer; });
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.order, QByteArray("connected accepted events ended "));
    QVERIFY(call.takeConnection() == nullptr);
    QTRY_COMPARE(peer.socket->state(), QAbstractSocket::UnconnectedState);
}

void EventStreamCallTest::readsAnAnswerThatComesBeforeTheEndOfTheRequest()
{
    HttpPeer peer([](const auto &) -> QByteArray { return QByteArray(); });
    peer.reading = false;
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, std::string(std::size_t{20} << 20U, 'x'));
    QTRY_COMPARE(heard.order, QByteArray("connected "));
    QVERIFY(!heard.wasSent);
    peer.socket->write("HTTP/1.1 413 Large\r\nContent-Length: 2\r\n\r\n{}");
    QTRY_COMPARE(heard.order, QByteArray("connected refused "));
    QCOMPARE(heard.refusal.status, 413);
    QVERIFY(call.takeConnection() == nullptr); // the request is only half there
}

void EventStreamCallTest::verifiesTheServer()
{
    TestAuthority stranger;
    trust(stranger.pem());
    HttpPeer peer([](const auto &) -> QByteArray { return QByteArray(); },
                  m_authority.issue(QStringLiteral("localhost")));
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, "{}");
    QTRY_COMPARE(heard.order, QByteArray("failed "));
    QCOMPARE(heard.stage, HttpsExchange::Stage::Connecting);
    QVERIFY2(heard.reason.contains(QStringLiteral("certificate of localhost is not trusted")),
             qPrintable(heard.reason));
    QCOMPARE(peer.requests.size(), 0);
    QVERIFY(!peer.received.contains("sk-secret"));
}

void EventStreamCallTest::worksOverTls()
{
    trust(m_authority.pem());
    const QByteArray large = QByteArray("0123456789").repeated(300'000);
    HttpPeer peer(
        [&](const auto &request) -> QByteArray {
            return streamHead + chunk("data: " + request.body + "\n\n") + chunk({});
        },
        m_authority.issue(QStringLiteral("localhost")));
    EventStreamCall call;
    Heard heard(call);
    call.start(peer.endpoint(), {}, large.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(heard.order, QByteArray("connected accepted events ended "), 30'000);
    QVERIFY(heard.events == QByteArrayList{large});
    QVERIFY(heard.wasSent);
    auto kept = call.takeConnection();
    QVERIFY(kept != nullptr);
    EventStreamCall again;
    Heard heardAgain(again);
    again.start(peer.endpoint(), {}, "{}", std::move(kept));
    QTRY_COMPARE(heardAgain.order, QByteArray("connected accepted events ended "));
    QCOMPARE(peer.connections, 1);
}

QTEST_GUILESS_MAIN(EventStreamCallTest)
#include "tst_eventstreamcall.moc"
