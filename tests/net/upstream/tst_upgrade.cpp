// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upgradereader.h"
#include "proxy/net/upstream/upgraderequest.h"

#include <QByteArrayList>
#include <QTest>

using headway::net::Endpoint;
using headway::net::UpgradeReader;
using headway::net::UpgradeRequest;
using Progress = UpgradeReader::Progress;
using Headers = std::vector<std::pair<std::string, std::string>>;
Q_DECLARE_METATYPE(UpgradeReader::Progress)

namespace {

// RFC 6455 section 1.3: the key "dGhlIHNhbXBsZSBub25jZQ==" and its answer.
constexpr std::string_view rfcNonce = "the sample nonce";
const QByteArray rfcAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

Endpoint endpointOf(const char *url, const std::string &key = {})
{
    Endpoint endpoint;
    endpoint.url = QUrl(QString::fromLatin1(url));
    endpoint.name = "test";
    endpoint.key = key;
    return endpoint;
}

QByteArray requestFor(const char *url, const Headers &headers = {}, const std::string &key = {})
{
    const auto request = UpgradeRequest::build(endpointOf(url, key), headers, rfcNonce);
    return request ? QByteArray::fromStdString(request->bytes) : QByteArray("refused");
}

struct Outcome
{
    Progress progress = Progress::NeedMore;
    headway::net::UpgradeReply reply;
    QByteArray rest;
    QString error;
};

Outcome readInPieces(const QByteArray &bytes, qsizetype piece, bool finish)
{
    UpgradeReader reader(rfcAccept.toStdString());
    Outcome outcome;
    for (qsizetype at = 0; at < bytes.size() && outcome.progress == Progress::NeedMore; at += piece)
    {
        const QByteArray part = bytes.mid(at, piece);
        outcome.progress = reader.feed({part.constData(), static_cast<std::size_t>(part.size())});
        outcome.rest
            = QByteArray(reader.rest().data(), static_cast<qsizetype>(reader.rest().size()));
        if (outcome.progress == Progress::Switched)
            outcome.rest += bytes.mid(at + piece);
    }
    if (finish && outcome.progress == Progress::NeedMore)
        outcome.progress = reader.finish();
    outcome.reply = reader.reply();
    outcome.error = reader.error();
    return outcome;
}

const QByteArray good101 = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                           "Connection: Upgrade\r\nSec-WebSocket-Accept: "
    + rfcAccept + "\r\n\r\n";

} // namespace

class UpgradeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksAsTheRfcSays();
    void namesTheHostAndTheTarget_data();
    void namesTheHostAndTheTarget();
    void sendsTheKeyUnlessAnAuthorizationIsGiven();
    void refusesHeadersThatBreakTheRequest_data();
    void refusesHeadersThatBreakTheRequest();
    void reads_data();
    void reads();
    void leavesTheFirstFramesAlone();
    void keepsEveryHeaderOfARefusal();
    void readsBodiesOfRefusals_data();
    void readsBodiesOfRefusals();
    void keeps64KiBOfABody();
    void limitsTheHead();
    void limitsAllInterimHeadsTogether();
};

void UpgradeTest::asksAsTheRfcSays()
{
    const auto request
        = UpgradeRequest::build(endpointOf("ws://127.0.0.1:80/chat"), {{"X-A", "b c"}}, rfcNonce);
    QVERIFY(request.has_value());
    QCOMPARE(QByteArray::fromStdString(request->expectedAccept), rfcAccept);
    const QByteArray bytes = QByteArray::fromStdString(request->bytes);
    QVERIFY(bytes.startsWith("GET /chat HTTP/1.1\r\nHost: "));
    QVERIFY(bytes.endsWith("\r\n\r\n"));
    for (const char *line : {"\r\nUpgrade: websocket\r\n", "\r\nConnection: Upgrade\r\n",
                             "\r\nX-A: b c\r\n", "\r\nSec-WebSocket-Version: 13\r\n",
                             "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                             "\r\nUser-Agent: headway/" HEADWAY_VERSION "\r\n"})
        QCOMPARE(bytes.count(line), 1);
    QVERIFY(!bytes.contains("Extensions"));
    QVERIFY(!bytes.contains("Authorization"));
}

void UpgradeTest::namesTheHostAndTheTarget_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("wss://h.example/v1/responses") << QByteArray("/v1/responses|h.example");
    QTest::newRow("wss://h.example:8443/") << QByteArray("/|h.example:8443");
    QTest::newRow("wss://h.example") << QByteArray("/|h.example");
    QTest::newRow("wss://h.example/a?b=c%20d") << QByteArray("/a?b=c%20d|h.example");
    QTest::newRow("ws://[::1]:81/x") << QByteArray("/x|[::1]:81");
}

void UpgradeTest::namesTheHostAndTheTarget()
{
    QFETCH(const QByteArray, start);
    const QList<QByteArray> parts = start.split('|');
    const QByteArray expected = "GET " + parts[0] + " HTTP/1.1\r\nHost: " + parts[1] + "\r\n";
    const QByteArray request = requestFor(QTest::currentDataTag());
    QVERIFY2(request.startsWith(expected), request.constData());
}

void UpgradeTest::sendsTheKeyUnlessAnAuthorizationIsGiven()
{
    QCOMPARE(requestFor("wss://h/", {}, "sk-1").count("Authorization: Bearer sk-1\r\n"), 1);
    const QByteArray own = requestFor("wss://h/", {{"authorization", "Bearer mine"}}, "sk-1");
    QCOMPARE(own.count("authorization: Bearer mine\r\n"), 1);
    QVERIFY(!own.contains("sk-1"));
    const QByteArray agent = requestFor("wss://h/", {{"User-Agent", "mine/1"}});
    QCOMPARE(agent.toLower().count("user-agent"), 1);
    QCOMPARE(requestFor("wss://h/", {}, "sk\r\nX: y"), QByteArray("refused"));
}

void UpgradeTest::refusesHeadersThatBreakTheRequest_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("line break") << QByteArray("X") << QByteArray("a\r\nY: b");
    QTest::newRow("bare LF") << QByteArray("X") << QByteArray("a\nY: b");
    QTest::newRow("NUL") << QByteArray("X") << QByteArray("a\0b", 3);
    QTest::newRow("DEL") << QByteArray("X") << QByteArray("a\x7f");
    QTest::newRow("no name") << QByteArray("") << QByteArray("a");
    QTest::newRow("blank in the name") << QByteArray("X Y") << QByteArray("a");
    QTest::newRow("colon in the name") << QByteArray("X:Y") << QByteArray("a");
    for (const char *name : {"Host", "upgrade", "CONNECTION", "Sec-WebSocket-Key", "Content-Length",
                             "Transfer-Encoding", "Sec-WebSocket-Extensions"})
        QTest::newRow(name) << QByteArray(name) << QByteArray("x");
}

void UpgradeTest::refusesHeadersThatBreakTheRequest()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, value);
    const auto request = UpgradeRequest::build(
        endpointOf("wss://h/"), {{name.toStdString(), value.toStdString()}}, rfcNonce);
    QVERIFY(!request.has_value());
    QVERIFY(!request.error().isEmpty());
}

void UpgradeTest::reads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Progress>("progress");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const QByteArray &bytes, Progress progress, int status,
                        const char *error = "") {
        QTest::newRow(name) << bytes << progress << status << QString::fromUtf8(error);
    };
    const auto changed = [](const QByteArray &from, const QByteArray &to) {
        return QByteArray(good101).replace(from, to);
    };
    const QByteArray cl0 = "\r\nContent-Length: 0\r\n\r\n";
    row("101", good101, Progress::Switched, 101);
    row("101, names and values in other case",
        changed("Upgrade: websocket", "UPGRADE: WebSocket").replace(": Upgrade", ": uPGRADE"),
        Progress::Switched, 101);
    row("101, Connection is a list",
        changed("Connection: Upgrade", "Connection: keep-alive, Upgrade"), Progress::Switched, 101);
    row("101, two Connection fields",
        changed("Connection: Upgrade", "Connection: keep-alive\r\nConnection: Upgrade"),
        Progress::Switched, 101);
    row("103, then 101", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + good101,
        Progress::Switched, 101);
    row("100 twice, then 401",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized" + cl0,
        Progress::Refused, 401);
    row("403 with an empty body", "HTTP/1.1 403 Forbidden" + cl0, Progress::Refused, 403);
    row("200 is a refusal", "HTTP/1.1 200 OK" + cl0, Progress::Refused, 200);
    row("302 is not followed", "HTTP/1.1 302 Found\r\nLocation: wss://other/" + cl0,
        Progress::Refused, 302);
    row("HTTP/1.0", "HTTP/1.0 503 Busy\r\n\r\n", Progress::Refused, 503);
    row("no reason phrase", "HTTP/1.1 429 " + cl0, Progress::Refused, 429);

    row("wrong accept", changed(rfcAccept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOX="), Progress::Broken, 101,
        "Sec-WebSocket-Accept");
    row("accept in other case", changed("xOo=", "XoO="), Progress::Broken, 101,
        "Sec-WebSocket-Accept");
    row("no accept", changed("Sec-WebSocket-Accept", "X"), Progress::Broken, 101,
        "Sec-WebSocket-Accept");
    row("accept twice",
        changed("Upgrade: websocket",
                "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        Progress::Broken, 101, "Sec-WebSocket-Accept");
    row("another protocol", changed("Upgrade: websocket", "Upgrade: h2c"), Progress::Broken, 101,
        "something else than WebSocket");
    row("no Upgrade", changed("Upgrade: websocket\r\n", ""), Progress::Broken, 101,
        "something else than WebSocket");
    row("no Connection", changed("Connection: Upgrade\r\n", ""), Progress::Broken, 101,
        "Connection: Upgrade");
    row("Connection: close", changed("Connection: Upgrade", "Connection: close"), Progress::Broken,
        101, "Connection: Upgrade");
    row("an extension",
        changed("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
        Progress::Broken, 101, "permessage-deflate");
    row("a subprotocol", changed("\r\n\r\n", "\r\nSec-WebSocket-Protocol: x\r\n\r\n"),
        Progress::Broken, 101, "not offered");
    row("101 in HTTP/1.0", changed("HTTP/1.1", "HTTP/1.0"), Progress::Broken, 101, "HTTP/1.1");
    row("garbage", "SSH-2.0-OpenSSH_9.2\r\n", Progress::Broken, 0, "not HTTP/1.1");
    row("a TLS record", QByteArray::fromHex("15030100020246"), Progress::Broken, 0, "not HTTP/1.1");
    row("a request", "GET / HTTP/1.1\r\n\r\n", Progress::Broken, 0, "not HTTP/1.1");
    row("a blank in a name", "HTTP/1.1 403 No\r\nX Y: z\r\n\r\n", Progress::Broken, 0,
        "not HTTP/1.1");
    row("NUL in a value", QByteArray("HTTP/1.1 403 No\r\nX: a\0b\r\n\r\n", 28), Progress::Broken, 0,
        "not HTTP/1.1");
    row("cut in the status line", "HTTP/1.1 4", Progress::Broken, 0, "ended inside the answer");
    row("cut in the head", "HTTP/1.1 403 No\r\nX: y", Progress::Broken, 0,
        "ended inside the answer");
    row("nothing", "", Progress::Broken, 0, "without an answer");
}

void UpgradeTest::reads()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const Progress, progress);
    QFETCH(const int, status);
    QFETCH(const QString, error);
    for (const qsizetype piece : {qMax(bytes.size(), qsizetype{1}), qsizetype{1}, qsizetype{7}}) {
        const Outcome outcome = readInPieces(bytes, piece, true);
        QVERIFY2(outcome.progress == progress, qPrintable(outcome.error));
        if (status != 0)
            QCOMPARE(outcome.reply.status, status);
        QVERIFY2(outcome.error.contains(error), qPrintable(outcome.error));
        QCOMPARE(outcome.error.isEmpty(), error.isEmpty());
    }
}

void UpgradeTest::leavesTheFirstFramesAlone()
{
    const QByteArray frames = QByteArray::fromHex("810548656c6c6f8103") + "\r\n\r";
    for (const qsizetype piece : {qsizetype{1000}, qsizetype{1}, qsizetype{13}})
        QCOMPARE(readInPieces(good101 + frames, piece, false).rest, frames);
    QCOMPARE(readInPieces(good101, 1000, false).rest, QByteArray());
}

void UpgradeTest::keepsEveryHeaderOfARefusal()
{
    const Outcome outcome = readInPieces("HTTP/1.1 429 Slow down\r\nRetry-After:  7 \r\n"
                                         "X-Two: a\r\nx-two: b\r\nEmpty:\r\nFolded: a\r\n b\r\n"
                                         "Content-Length: 0\r\n\r\n",
                                         5, false);
    QVERIFY(outcome.progress == Progress::Refused);
    const Headers expected{{"retry-after", "7"}, {"x-two", "a"},    {"x-two", "b"},
                           {"empty", ""},        {"folded", "a b"}, {"content-length", "0"}};
    QCOMPARE(outcome.reply.headers.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(QByteArray::fromStdString(outcome.reply.headers[i].first),
                 QByteArray::fromStdString(expected[i].first));
        QCOMPARE(QByteArray::fromStdString(outcome.reply.headers[i].second).simplified(),
                 QByteArray::fromStdString(expected[i].second));
    }
    QCOMPARE(outcome.reply.header("x-two"), std::string_view("a"));
}

void UpgradeTest::readsBodiesOfRefusals_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("body");
    const QByteArray head = "HTTP/1.1 503 Busy\r\n";
    QTest::newRow("by length") << head + "Content-Length: 5\r\n\r\nhello" << QByteArray("hello");
    QTest::newRow("chunked, with a trailer")
        << head + "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\n\r\n"
        << QByteArray("hello");
    QTest::newRow("until the end")
        << head + "Connection: close\r\n\r\nhello" << QByteArray("hello");
    QTest::newRow("cut short") << head + "Content-Length: 50\r\n\r\nhello" << QByteArray("hello");
    QTest::newRow("broken chunk") << head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n"
                                  << QByteArray("hello");
    QTest::newRow("bytes after it")
        << head + "Content-Length: 5\r\n\r\nhello and more" << QByteArray("hello");
}

void UpgradeTest::readsBodiesOfRefusals()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QByteArray, body);
    for (const qsizetype piece : {bytes.size(), qsizetype{1}}) {
        const Outcome outcome = readInPieces(bytes, piece, true);
        QVERIFY(outcome.progress == Progress::Refused);
        QCOMPARE(outcome.reply.status, 503);
        QCOMPARE(QByteArray::fromStdString(outcome.reply.body), body);
    }
}

void UpgradeTest::keeps64KiBOfABody()
{
    const QByteArray head = "HTTP/1.1 500 Oh\r\nContent-Length: 1000000\r\n\r\n";
    for (const qsizetype piece : {qsizetype{1} << 20, qsizetype{1000}}) {
        const Outcome outcome = readInPieces(head + QByteArray(1000000, 'x'), piece, false);
        QVERIFY(outcome.progress == Progress::Refused);
        QCOMPARE(outcome.reply.body.size(), std::size_t{65536});
    }
}

void UpgradeTest::limitsTheHead()
{
    const QByteArray start = "HTTP/1.1 403 No\r\nX: ";
    const QByteArray end = "\r\nContent-Length: 0\r\n\r\n";
    const auto filler
        = [&](qsizetype head) { return QByteArray(head - start.size() - end.size(), 'x'); };
    for (const qsizetype piece : {qsizetype{1} << 20, qsizetype{1000}}) {
        const Outcome just = readInPieces(start + filler(65536) + end, piece, false);
        QVERIFY2(just.progress == Progress::Refused, qPrintable(just.error));
        const Outcome over = readInPieces(start + filler(65537) + end, piece, false);
        QVERIFY(over.progress == Progress::Broken);
        QVERIFY(over.error.contains(QLatin1String("64 KiB")));
    }
}

void UpgradeTest::limitsAllInterimHeadsTogether()
{
    const QByteArray interim = "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n";
    const Outcome outcome = readInPieces(interim.repeated(3000), 4096, false);
    QVERIFY(outcome.progress == Progress::Broken);
    QVERIFY(outcome.error.contains(QLatin1String("64 KiB")));
}

QTEST_APPLESS_MAIN(UpgradeTest)
#include "tst_upgrade.moc"
