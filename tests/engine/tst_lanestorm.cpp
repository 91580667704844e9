// SPDX-License-Identifier: GPL-3.0-or-later
// Connections with lanes that are lost, and clients that leave, at any moment: whatever happens to
// a turn, it ends once, its admission ends once, and nothing of it is left open. Not what happens
// is checked, which depends on the timing of real sockets, but what must hold whatever happens
// (spec/heads.md section 8, spec/ledger.md "Conservation").
#include "proxy/store/ledgerverify.h"
#include "tests/store/sqliterows.h"
#include "tests/support/proxyfixture.h"

#include <QDir>
#include <QTest>

#include <random>

using namespace headway;
using namespace std::chrono_literals;
using settings::Key;
using simulator::Fault;
using simulator::WireEvent;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class LaneStormTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTurnEndsOnceWhateverBreaks_data();
    void everyTurnEndsOnceWhateverBreaks();
};

namespace {

constexpr int rounds = 3;
constexpr int agents = 20;
constexpr int blows = 12; // in each round

simulator::Scenario scenario()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 5ms};
    scenario.firstToken = {0ms, 20ms};
    scenario.turn = {20ms, 80ms};
    scenario.lanes = true;
    return scenario;
}

qsizetype openDescriptors()
{
    return QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::System | QDir::Files).size();
}

Fault onTurn(std::mt19937 &random)
{
    static const QList<QByteArray> codes{
        "previous_response_not_found", "websocket_stream_limit_reached",
        "websocket_connection_limit_reached", "server_error", "invalid_prompt"};
    Fault fault;
    fault.kind = Fault::Kind::ErrorEvent;
    fault.count = 1;
    fault.code = codes.at(static_cast<qsizetype>(random() % 5));
    fault.status = fault.code == "server_error" ? 500 : 400;
    fault.afterEvents = static_cast<int>(random() % 8);
    return fault;
}

Fault onSockets(std::mt19937 &random)
{
    Fault fault;
    fault.kind = std::array{Fault::Kind::Reset, Fault::Kind::Close, Fault::Kind::Eof}[random() % 3];
    return fault;
}

// One client's turn and whether the client has left it.
struct Turn
{
    std::unique_ptr<HttpCall> call;
    bool left = false;

    [[nodiscard]] bool isOver() const { return left || call->isComplete() || call->isClosed(); }
};

class Storm
{
public:
    Storm(ProxyFixture &proxy, unsigned seed)
        : m_proxy(proxy)
        , m_random(seed)
    {
        QObject::connect(&proxy.provider(), &simulator::Provider::wire, &m_context,
                         [this] { ++m_events; });
    }

    void round()
    {
        for (int i = 0; i < agents; ++i)
            m_turns.push_back({m_proxy.post("/v1/messages", messagesBody({"hello"}), "session",
                                            "agent-" + QByteArray::number(i % 7))});
        for (int i = 0; i < blows; ++i) {
            const std::uint64_t at = m_events + 1 + m_random() % 25;
            QVERIFY(QTest::qWaitFor([&] { return m_events >= at || isQuiet(); }, 20'000));
            strike();
        }
        QVERIFY(QTest::qWaitFor([&] { return isQuiet(); }, 20'000));
        for (const Turn &turn : m_turns)
            check(turn);
        m_turns.clear();
    }

private:
    [[nodiscard]] bool isQuiet()
    {
        m_proxy.passTime(100ms); // backoffs
        return std::ranges::all_of(m_turns, &Turn::isOver) && m_proxy.engine().turnsInFlight() == 0;
    }

    void strike()
    {
        switch (m_random() % 3) {
        case 0:
            m_proxy.provider().strike(onSockets(m_random));
            break;
        case 1:
            m_proxy.provider().add(onTurn(m_random));
            break;
        default:
            Turn &turn = m_turns.at(m_random() % m_turns.size());
            turn.call->abort();
            turn.left = true;
        }
    }

    static void check(const Turn &turn)
    {
        if (turn.left || turn.call->status() != 200)
            return;
        const QList<QByteArray> events = turn.call->events();
        QCOMPARE(events.count("message_start"), 1); // of one attempt only
        const bool whole = events.last() == "message_stop";
        QVERIFY(whole || events.last() == "error");
        QCOMPARE(events.count("message_stop"), whole ? 1 : 0);
    }

    ProxyFixture &m_proxy;
    std::mt19937 m_random;
    QObject m_context;
    std::vector<Turn> m_turns;
    std::uint64_t m_events = 0;
};

} // namespace

void LaneStormTest::everyTurnEndsOnceWhateverBreaks_data()
{
    QTest::addColumn<QByteArray>("lanes");
    QTest::addColumn<unsigned>("seed");
    QTest::newRow("auto") << QByteArray("auto") << 1U;
    QTest::newRow("on") << QByteArray("on") << 2U;
}

void LaneStormTest::everyTurnEndsOnceWhateverBreaks()
{
    QFETCH(const QByteArray, lanes);
    QFETCH(const unsigned, seed);
    ProxyFixture proxy(scenario());
    proxy.set(Key::Lanes, lanes.toStdString());
    proxy.set(Key::RatePerMin, "600");
    proxy.set(Key::Burst, "5");
    proxy.start();
    QTRY_VERIFY(QFile::exists(proxy.ledgerPath() + QStringLiteral("-shm")));
    const qsizetype descriptors = openDescriptors(); // the ledger's are among them
    Storm storm(proxy, seed);
    for (int i = 0; i < rounds; ++i) {
        storm.round();
        QVERIFY(!QTest::currentTestFailed());
        proxy.passTime(31min); // whatever is idle goes
        QTRY_COMPARE(proxy.provider().statistics().openSockets, std::uint64_t{0});
        QVERIFY(proxy.engine().snapshot()->heads.empty());
        QTRY_VERIFY2(openDescriptors() <= descriptors,
                     QByteArray::number(openDescriptors()).constData());
    }
    proxy.stop();
    const auto verified = store::verifyLedger(proxy.ledgerPath());
    QVERIFY(verified.has_value());
    QVERIFY2(verified->disagreements.isEmpty(),
             qPrintable(verified->disagreements.join(QLatin1Char('\n'))));
    QVERIFY(verified->open.requests.empty());
    QVERIFY(verified->open.turns.empty());
    const auto number = [&](const char *statement) {
        return testsupport::number(proxy.ledgerPath(), QLatin1String(statement));
    };
    // A client that left before its request was read is no turn.
    const qint64 started = number("SELECT count(*) FROM turn_started");
    QVERIFY(started > rounds * agents / 2 && started <= rounds * agents);
    QCOMPARE(number("SELECT count(*) FROM turn"), started);
    QCOMPARE(number("SELECT count(DISTINCT turn) FROM turn"), started);
    QCOMPARE(number("SELECT count(*) FROM connection WHERE event = 'dialled'"),
             number("SELECT count(*) FROM connection WHERE event = 'closed' OR event = 'failed' OR "
                    "event = 'rejected' OR (event = 'evicted' AND coalesce(lane, '') = '')"));
}

QTEST_GUILESS_MAIN(LaneStormTest)
#include "tst_lanestorm.moc"
