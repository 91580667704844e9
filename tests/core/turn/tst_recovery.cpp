// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of spec/heads.md section 8 and spec/pacing.md section 6 (column bucket), row by row.
#include "proxy/core/turn/recovery.h"

#include <QTest>

#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using dialects::ErrorKind;
using turn::FaultKind;

class RecoveryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRowOfTheTable_data();
    void aRowOfTheTable();
    void nothingIsRetriedOnceOutputReachedTheClient();
    void eachSpecialRemedyIsUsedOnce();
    void swallowedUpgradesGoByHttpsOnce();
    void aConnectionLostDuringTheUpgradeIsReplacedOnce();
    void theLifetimeLimitGoesOnWithTheLadderAfterItsOneNewSocket();
    void aStatedDelayReplacesTheRungAlsoWhenShorter();
    void aStatedDelayIsHonouredInFullUpTo120Seconds();
    void victimsOfOneBurstComeBackOneAfterTheOther();
    void aSpacingPolicyRetriesTheFirstRejectionAfterThreeSeconds();
    void aStatedDelayThatLeavesLessThanBoundPlusASecondGoesToTheClient();
    void theLadderEndsWithTheBudgetsRetries();
    void jitterOnlyShortensTheRung();
    void anUpgradeThatIsNotOfferedGoesByHttps_data();
    void anUpgradeThatIsNotOfferedGoesByHttps();
    void aRefusedCredentialIsRefreshedOnceAndThenGoesByHttps();
    void anUpgradeThatIsRefusedAgainAndAgainIsTriedByHttps_data();
    void anUpgradeThatIsRefusedAgainAndAgainIsTriedByHttps();
    void aTurnThatGoesByHttpsIsNotSentThereTwice();
    void aTurnOverHttpsRecoversByTheSameRows_data();
    void aTurnOverHttpsRecoversByTheSameRows();
};

namespace {

turn::Fault faultOf(FaultKind kind, ErrorKind error = ErrorKind::UpstreamFailed,
                    std::string code = {})
{
    turn::Fault fault;
    fault.kind = kind;
    fault.error.kind = error;
    fault.error.code = std::move(code);
    return fault;
}

struct Turn
{
    turn::Remedies remedies;
    pacing::RequestBudget budget; // the defaults: idle 120 s, 5 retries, bound 4833 ms
    base::Random random{7};
    pacing::RejectionSchedule schedule{7};
    base::Nanoseconds remaining = 120s;
    turn::AttemptFacts facts;
    pacing::Policy policy = pacing::Policy::Bucket;

    turn::Action meets(const turn::Fault &fault)
    {
        return turn::recover(fault, facts, remedies, budget,
                             {.remaining = remaining,
                              .policy = policy,
                              .schedule = schedule,
                              .random = random,
                              .now = {}});
    }
};

std::optional<base::Milliseconds> delayOf(const turn::Action &action)
{
    const auto *later = std::get_if<turn::RetryLater>(&action);
    return later ? std::optional(later->delay) : std::nullopt;
}

QString nameOf(const turn::Action &action)
{
    return QString::fromLatin1(name(action).data(), static_cast<qsizetype>(name(action).size()));
}

} // namespace

void RecoveryTest::aRowOfTheTable_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("continued");
    QTest::addColumn<int>("closeCode");
    QTest::addColumn<QString>("action");
    const auto row = [](const char *name, FaultKind kind, ErrorKind error, const char *code,
                        bool continued, int closeCode, const char *action) {
        QTest::newRow(name) << int(kind) << int(error) << QString::fromLatin1(code) << continued
                            << closeCode << QString::fromLatin1(action);
    };
    const auto upstream = ErrorKind::UpstreamFailed;
    row("previous response gone", FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
        "previous_response_not_found", true, 0, "same_socket_full");
    row("previous response gone, but no delta was sent", FaultKind::ErrorEvent,
        ErrorKind::InvalidRequest, "previous_response_not_found", false, 0, "give_up");
    row("lifetime limit", FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
        "websocket_connection_limit_reached", false, 0, "new_socket_full");
    row("no more lanes", FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
        "websocket_stream_limit_reached", false, 0, "other_lane_full");
    row("no more lanes for a fork", FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
        "websocket_stream_limit_reached", true, 0, "other_lane_full");
    row("no answer to the upgrade", FaultKind::UpgradeUnanswered, upstream, "", false, 0,
        "backoff");
    row("socket lost", FaultKind::SocketLost, upstream, "", true, 1006, "new_socket_full");
    row("clean close before output", FaultKind::SocketLost, upstream, "", false, 1000,
        "new_socket_full");
    row("too big goes by HTTPS", FaultKind::SocketLost, ErrorKind::TooLarge, "", false, 1009,
        "https");
    row("policy violation is terminal", FaultKind::SocketLost, upstream, "", false, 1008,
        "give_up");
    row("out of credits is terminal", FaultKind::SocketLost, upstream, "", false, 4402, "give_up");
    row("rejection", FaultKind::Rejected, ErrorKind::Throttled, "", false, 0, "backoff");
    row("refused by us", FaultKind::Refused, ErrorKind::RefusedByUs, "", false, 0, "backoff");
    row("dial failed", FaultKind::DialFailed, upstream, "", false, 0, "backoff");
    row("no credential", FaultKind::UpgradeFailed, ErrorKind::Authentication, "", false, 0,
        "give_up");
    row("another answer to the upgrade", FaultKind::UpgradeFailed, ErrorKind::Permission, "", false,
        0, "give_up");
    row("throttled by event", FaultKind::ErrorEvent, ErrorKind::Throttled, "rate_limit_exceeded",
        false, 0, "backoff");
    row("server error", FaultKind::ErrorEvent, upstream, "server_error", false, 0, "backoff");
    row("overloaded", FaultKind::ErrorEvent, ErrorKind::Overloaded, "server_is_overloaded", false,
        0, "backoff");
    row("plan limit", FaultKind::ErrorEvent, ErrorKind::PlanLimit, "usage_limit_reached", false, 0,
        "give_up");
    row("other 4xx", FaultKind::ErrorEvent, ErrorKind::InvalidRequest, "invalid_prompt", true, 0,
        "give_up");
    row("context overflow", FaultKind::ErrorEvent, ErrorKind::ContextOverflow,
        "context_length_exceeded", false, 0, "give_up");
    row("poisoned reasoning", FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
        "invalid_encrypted_content", false, 0, "drop_reasoning");
    row("completed without output", FaultKind::EmptyCompleted, upstream, "", true, 0,
        "same_socket_full");
    row("deadline", FaultKind::DeadlineExpired, ErrorKind::Timeout, "", false, 0, "give_up");
}

void RecoveryTest::aRowOfTheTable()
{
    QFETCH(const int, kind);
    QFETCH(const int, error);
    QFETCH(const QString, code);
    QFETCH(const bool, continued);
    QFETCH(const int, closeCode);
    QFETCH(const QString, action);
    Turn turn;
    turn.facts.continued = continued;
    turn::Fault fault
        = faultOf(static_cast<FaultKind>(kind), static_cast<ErrorKind>(error), code.toStdString());
    if (closeCode != 0)
        fault.closeCode = static_cast<std::uint16_t>(closeCode);
    QCOMPARE(nameOf(turn.meets(fault)), action);
}

void RecoveryTest::nothingIsRetriedOnceOutputReachedTheClient()
{
    for (const FaultKind kind :
         {FaultKind::SocketLost, FaultKind::ErrorEvent, FaultKind::Rejected, FaultKind::DialFailed,
          FaultKind::UpgradeUnanswered, FaultKind::EmptyCompleted})
    {
        Turn turn;
        turn.facts.outputReachedClient = true;
        QCOMPARE(nameOf(turn.meets(faultOf(kind, ErrorKind::Throttled))),
                 QStringLiteral("give_up"));
    }
}

void RecoveryTest::eachSpecialRemedyIsUsedOnce()
{
    Turn turn;
    turn.facts.continued = true;
    const auto gone
        = faultOf(FaultKind::ErrorEvent, ErrorKind::InvalidRequest, "previous_response_not_found");
    QCOMPARE(nameOf(turn.meets(gone)), QStringLiteral("same_socket_full"));
    QCOMPARE(nameOf(turn.meets(gone)), QStringLiteral("give_up"));

    const auto server = faultOf(FaultKind::ErrorEvent, ErrorKind::UpstreamFailed, "server_error");
    QCOMPARE(nameOf(turn.meets(server)), QStringLiteral("backoff"));
    QCOMPARE(nameOf(turn.meets(server)), QStringLiteral("give_up"));

    const auto poisoned
        = faultOf(FaultKind::ErrorEvent, ErrorKind::InvalidRequest, "invalid_encrypted_content");
    QCOMPARE(nameOf(turn.meets(poisoned)), QStringLiteral("drop_reasoning"));
    QCOMPARE(nameOf(turn.meets(poisoned)), QStringLiteral("give_up"));

    const auto noLane = faultOf(FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
                                "websocket_stream_limit_reached");
    QCOMPARE(nameOf(turn.meets(noLane)), QStringLiteral("other_lane_full"));
    const int before = turn.remedies.retries;
    QCOMPARE(nameOf(turn.meets(noLane)), QStringLiteral("backoff"));
    QCOMPARE(turn.remedies.retries, before + 1);

    const auto empty = faultOf(FaultKind::EmptyCompleted);
    QCOMPARE(nameOf(turn.meets(empty)), QStringLiteral("same_socket_full"));
    QCOMPARE(nameOf(turn.meets(empty)), QStringLiteral("give_up"));
}

// "WebSocket blocked while HTTPS works".
void RecoveryTest::swallowedUpgradesGoByHttpsOnce()
{
    Turn turn;
    turn.facts.upgradesSwallowed = true;
    const auto silence = faultOf(FaultKind::UpgradeUnanswered);
    QCOMPARE(nameOf(turn.meets(silence)), QStringLiteral("https"));
    QCOMPARE(turn.remedies.https, std::optional(turn::HttpsCause::Unanswered));
    QCOMPARE(nameOf(turn.meets(silence)), QStringLiteral("backoff"));
    Turn other;
    other.facts.upgradesSwallowed = true; // no reason to give up WebSocket for it
    QCOMPARE(nameOf(other.meets(faultOf(FaultKind::DialFailed))), QStringLiteral("backoff"));
}

// A reset of the upgrade is a socket error like any other: once at once, then the ladder from its
// first rung on. A connection that could not be made is not tried again at once.
void RecoveryTest::aConnectionLostDuringTheUpgradeIsReplacedOnce()
{
    Turn turn;
    turn::Fault reset = faultOf(FaultKind::DialFailed);
    reset.wasConnected = true;
    QCOMPARE(nameOf(turn.meets(reset)), QStringLiteral("new_socket_full"));
    QCOMPARE(turn.remedies.retries, 0);
    const auto second = delayOf(turn.meets(reset));
    QVERIFY(second && *second <= 2s && *second >= 1600ms);
    QCOMPARE(nameOf(turn.meets(faultOf(FaultKind::SocketLost))), QStringLiteral("backoff"));
    QCOMPARE(nameOf(Turn().meets(faultOf(FaultKind::DialFailed))), QStringLiteral("backoff"));
}

// Case B20: one new socket, then the normal ladder, then a failure.
void RecoveryTest::theLifetimeLimitGoesOnWithTheLadderAfterItsOneNewSocket()
{
    Turn turn;
    turn.budget.retries = 2;
    const auto old = faultOf(FaultKind::ErrorEvent, ErrorKind::InvalidRequest,
                             "websocket_connection_limit_reached");
    QCOMPARE(nameOf(turn.meets(old)), QStringLiteral("new_socket_full"));
    QCOMPARE(turn.remedies.retries, 0);
    QCOMPARE(nameOf(turn.meets(old)), QStringLiteral("backoff"));
    QCOMPARE(nameOf(turn.meets(old)), QStringLiteral("backoff"));
    QCOMPARE(nameOf(turn.meets(old)), QStringLiteral("give_up"));
}

// A stated time is never cut short; U(0, 20 ms) keeps the victims of one burst apart.
void RecoveryTest::aStatedDelayReplacesTheRungAlsoWhenShorter()
{
    for (const base::Milliseconds stated : {300ms, 17'000ms}) {
        Turn turn;
        turn::Fault fault = faultOf(FaultKind::Rejected, ErrorKind::Throttled);
        fault.stated = stated;
        const auto delay = delayOf(turn.meets(fault));
        QVERIFY(delay && *delay >= stated && *delay <= stated + 20ms);
    }
}

void RecoveryTest::aStatedDelayIsHonouredInFullUpTo120Seconds()
{
    Turn turn;
    turn.remaining = 3600s;
    turn::Fault fault = faultOf(FaultKind::Rejected, ErrorKind::Throttled);
    fault.stated = 120s;
    const auto delay = delayOf(turn.meets(fault));
    QVERIFY(delay && *delay >= 120s && *delay <= 120s + 20ms);
    fault.stated = 120s + 1ms;
    const auto action = turn.meets(fault);
    const auto *up = std::get_if<turn::GiveUp>(&action);
    QVERIFY(up);
    QVERIFY(up->error.retryAfter == 120s + 1ms); // the client is told when
}

// Spec pacing.md section 6: consecutive places, counted from each victim's own rejection.
void RecoveryTest::victimsOfOneBurstComeBackOneAfterTheOther()
{
    Turn first;
    Turn second;
    turn::Fault fault = faultOf(FaultKind::Rejected, ErrorKind::Throttled);
    fault.stated = 5s;
    const auto one = delayOf(first.meets(fault));
    const auto two = delayOf(turn::recover(fault, second.facts, second.remedies, second.budget,
                                           {.remaining = second.remaining,
                                            .schedule = first.schedule,
                                            .random = second.random,
                                            .now = {}}));
    QVERIFY(one && *one >= 5000ms && *one <= 5020ms);
    QVERIFY(two && *two >= 5100ms && *two <= 5120ms);
}

// The first rejection under a spacing policy comes back after 3 s, the next on the ladder.
void RecoveryTest::aSpacingPolicyRetriesTheFirstRejectionAfterThreeSeconds()
{
    Turn turn;
    turn.policy = pacing::Policy::Fixed;
    const auto fault = faultOf(FaultKind::Rejected, ErrorKind::Throttled);
    const auto one = delayOf(turn.meets(fault));
    QVERIFY(one && *one >= 3000ms && *one <= 3020ms);
    const auto two = delayOf(turn.meets(fault)); // place 1 of the burst, second rung
    QVERIFY(two && *two >= 4100ms && *two <= 4120ms);
}

void RecoveryTest::aStatedDelayThatLeavesLessThanBoundPlusASecondGoesToTheClient()
{
    Turn turn;
    turn::Fault fault = faultOf(FaultKind::Rejected, ErrorKind::Throttled);
    fault.stated = 10s;
    turn.remaining = 10s + 4833ms + 1s;
    QCOMPARE(nameOf(turn.meets(fault)), QStringLiteral("backoff"));
    turn.remaining -= 1ns;
    QCOMPARE(nameOf(turn.meets(fault)), QStringLiteral("give_up"));
}

void RecoveryTest::theLadderEndsWithTheBudgetsRetries()
{
    Turn turn;
    for (int retry = 1; retry <= 5; ++retry) {
        QCOMPARE(nameOf(turn.meets(faultOf(FaultKind::DialFailed))), QStringLiteral("backoff"));
        QCOMPARE(turn.remedies.retries, retry);
    }
    QCOMPARE(nameOf(turn.meets(faultOf(FaultKind::DialFailed))), QStringLiteral("give_up"));
    Turn none;
    none.budget.retries = 0;
    QCOMPARE(nameOf(none.meets(faultOf(FaultKind::Rejected))), QStringLiteral("give_up"));
}

void RecoveryTest::jitterOnlyShortensTheRung()
{
    const std::vector<base::Milliseconds> rungs{2s, 4s, 8s, 16s, 30s};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Turn turn;
        turn.random = base::Random{seed};
        for (const base::Milliseconds rung : rungs) {
            const auto action = turn.meets(faultOf(FaultKind::DialFailed));
            const auto *later = std::get_if<turn::RetryLater>(&action);
            QVERIFY(later);
            QVERIFY(later->delay <= rung);
            QVERIFY(later->delay >= rung * 4 / 5 - 1ms);
        }
    }
}

void RecoveryTest::anUpgradeThatIsNotOfferedGoesByHttps_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("cause"); // empty: given up
    QTest::newRow("426") << 426 << QStringLiteral("upgrade_required");
    QTest::newRow("404") << 404 << QStringLiteral("no_such_route");
    QTest::newRow("405") << 405 << QStringLiteral("no_such_route");
    QTest::newRow("403 in a block form") << 403 << QString();
    QTest::newRow("302") << 302 << QString();
    QTest::newRow("400") << 400 << QStringLiteral("blocked");
    QTest::newRow("413") << 413 << QStringLiteral("blocked");
}

void RecoveryTest::anUpgradeThatIsNotOfferedGoesByHttps()
{
    QFETCH(const int, status);
    QFETCH(const QString, cause);
    Turn turn;
    turn::UpgradeAnswer answer;
    answer.status = status;
    answer.contentType = "text/html";
    const turn::Fault fault = turn::classifyUpgrade(answer);
    const turn::Action action = turn.meets(fault);
    const auto *https = std::get_if<turn::UseHttps>(&action);
    QCOMPARE(https ? QString::fromStdString(std::string(name(https->cause))) : QString(), cause);
    QCOMPARE(turn.remedies.retries, 0); // not a retry of the ladder
}

void RecoveryTest::aRefusedCredentialIsRefreshedOnceAndThenGoesByHttps()
{
    Turn turn;
    turn::Fault fault = faultOf(FaultKind::UpgradeFailed, ErrorKind::Authentication);
    fault.error.upstreamStatus = 401;
    QCOMPARE(nameOf(turn.meets(fault)), QStringLiteral("refresh_credential"));
    const turn::Action second = turn.meets(fault);
    QCOMPARE(second, turn::Action(turn::UseHttps{turn::HttpsCause::Unauthorized}));
    turn::Fault post = faultOf(FaultKind::ErrorEvent, ErrorKind::Authentication);
    post.error.upstreamStatus = 401;
    QCOMPARE(nameOf(turn.meets(post)), QStringLiteral("give_up"));
    Turn open; // an event on an open socket may have no status
    const turn::Fault event = faultOf(FaultKind::ErrorEvent, ErrorKind::Authentication);
    QCOMPARE(nameOf(open.meets(event)), QStringLiteral("refresh_credential"));
    QCOMPARE(nameOf(open.meets(event)), QStringLiteral("give_up"));
}

void RecoveryTest::anUpgradeThatIsRefusedAgainAndAgainIsTriedByHttps_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("https");
    QTest::newRow("403 that explains") << 403 << QByteArray(R"({"error":"no websockets"})") << true;
    QTest::newRow("403 that speaks of a rate")
        << 403 << QByteArray(R"({"error":{"code":"rate_limit_exceeded"}})") << false;
    QTest::newRow("the edge's 403") << 403 << QByteArray() << false;
    QTest::newRow("500") << 500 << QByteArray("{}") << true;
    QTest::newRow("502") << 502 << QByteArray() << true;
    QTest::newRow("429") << 429 << QByteArray("{}") << false;
    QTest::newRow("503") << 503 << QByteArray("{}") << false;
}

void RecoveryTest::anUpgradeThatIsRefusedAgainAndAgainIsTriedByHttps()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const bool, https);
    const std::string text = body.toStdString();
    turn::UpgradeAnswer answer;
    answer.status = status;
    answer.body = text;
    const turn::Fault fault = turn::classifyUpgrade(answer);
    Turn turn;
    turn.remedies.retries = 2; // the third upgrade
    if (https)
        QCOMPARE(turn.meets(fault), turn::Action(turn::UseHttps{turn::HttpsCause::Blocked}));
    else
        QCOMPARE(nameOf(turn.meets(fault)), QStringLiteral("backoff"));
    turn.remedies = {};
    turn.remedies.retries = 1;
    QCOMPARE(nameOf(turn.meets(fault)), QStringLiteral("backoff")); // and not before that
    turn.remedies = {};
    turn.budget.retries = 0;
    QCOMPARE(nameOf(turn.meets(fault)),
             https ? QStringLiteral("https") : QStringLiteral("give_up"));
    turn.budget.retries = 5;
    turn.remedies = {};
    turn.facts.httpsWorks = true; // … unless HTTPS is known to work
    QCOMPARE(nameOf(turn.meets(fault)),
             https ? QStringLiteral("https") : QStringLiteral("backoff"));
    turn.remedies.retries = turn.budget.retries;
    turn.facts.overHttps = true;
    QCOMPARE(nameOf(turn.meets(fault)), QStringLiteral("give_up"));
}

void RecoveryTest::aTurnThatGoesByHttpsIsNotSentThereTwice()
{
    Turn turn;
    turn::Fault tooBig = faultOf(FaultKind::SocketLost, ErrorKind::TooLarge);
    tooBig.closeCode = 1009;
    QCOMPARE(turn.meets(tooBig), turn::Action(turn::UseHttps{turn::HttpsCause::TooLarge}));
    QCOMPARE(nameOf(turn.meets(tooBig)), QStringLiteral("give_up"));
    turn.facts.outputReachedClient = true;
    turn.remedies = {};
    QCOMPARE(nameOf(turn.meets(tooBig)), QStringLiteral("give_up"));
}

void RecoveryTest::aTurnOverHttpsRecoversByTheSameRows_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QStringList>("actions"); // at the first, second … time
    const auto row = [](int status, const char *body, const QStringList &actions) {
        QTest::addRow("%d %.30s", status, body) << status << QByteArray(body) << actions;
    };
    const QString later = QStringLiteral("backoff");
    const QString up = QStringLiteral("give_up");
    row(429, R"({"error":{"code":"rate_limit_exceeded"}})", {later, later, later});
    row(429, "", {later, later});
    row(403, "", {later, later}); // the edge's throttle
    row(403, "<html>blocked</html>", {up});
    row(403, R"({"error":{"code":"unsupported_country_region_territory"}})", {up});
    row(500, "", {later, up});
    row(502, "<html>", {later, up});
    row(503, R"({"error":{"code":"server_is_overloaded"}})", {later, up});
    row(400, R"({"error":{"message":"bad"}})", {up});
    row(401, "", {QStringLiteral("refresh_credential"), up});
    row(404, R"({"error":{"code":"model_not_found"}})", {up});
    row(413, "", {up});
    row(429, R"({"error":{"type":"usage_limit_reached","resets_in_seconds":9568}})", {up});
    row(307, "", {up});
    row(200, "{}", {up});
}

void RecoveryTest::aTurnOverHttpsRecoversByTheSameRows()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const QStringList, actions);
    Turn turn;
    turn.remedies.https = turn::HttpsCause::UpgradeRequired;
    for (const QString &action : actions)
        QCOMPARE(nameOf(turn.meets(turn::classifyHttpAnswer(status, {}, body.toStdString(), {}))),
                 action);
    turn.remedies = {};
    QCOMPARE(nameOf(turn.meets(faultOf(FaultKind::SocketLost))), QStringLiteral("new_socket_full"));
    QCOMPARE(nameOf(turn.meets(faultOf(FaultKind::SocketLost))), QStringLiteral("backoff"));
}

QTEST_APPLESS_MAIN(RecoveryTest)
#include "tst_recovery.moc"
