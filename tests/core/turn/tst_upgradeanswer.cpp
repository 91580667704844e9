// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer to the upgrade means (spec/pacing.md vocabulary, spec/heads.md section 8).
#include "proxy/core/turn/recovery.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using dialects::ErrorKind;
using turn::FaultKind;
using turn::UpgradeAnswer;

class UpgradeAnswerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isClassified_data();
    void isClassified();
    void aRejectionCarriesItsRetryAfter();
    void onlyAnUnacceptedCredentialSpeaksOfTheKey();
    void anAnswerToAPostIsTheEventItWouldHaveBeen_data();
    void anAnswerToAPostIsTheEventItWouldHaveBeen();
    void anAnswerToAPostCarriesItsRetryAfter();
};

void UpgradeAnswerTest::isClassified_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("contentType");
    QTest::addColumn<bool>("mitigated");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("error");
    const auto row = [](const char *name, int status, const char *type, bool mitigated,
                        const char *body, FaultKind fault, ErrorKind error) {
        QTest::newRow(name) << status << QByteArray(type) << mitigated << QByteArray(body)
                            << int(fault) << int(error);
    };
    row("empty 403 is a throttle (B02)", 403, "", false, "", FaultKind::Rejected,
        ErrorKind::Throttled);
    row("429", 429, "", false, "", FaultKind::Rejected, ErrorKind::Throttled);
    row("503", 503, "", false, "", FaultKind::Rejected, ErrorKind::Throttled);
    row("403 of a region block", 403, "application/json", false,
        R"({"error":{"code":"unsupported_country_region_territory"}})", FaultKind::UpgradeFailed,
        ErrorKind::Permission);
    row("403 page", 403, "text/html; charset=utf-8", false, "<html>", FaultKind::UpgradeFailed,
        ErrorKind::Permission);
    row("403 of a bot wall", 403, "", true, "", FaultKind::UpgradeFailed, ErrorKind::Permission);
    row("429 of the plan", 429, "application/json", false,
        R"({"error":{"type":"usage_limit_reached"}})", FaultKind::UpgradeFailed,
        ErrorKind::PlanLimit);
    row("401", 401, "", false, "", FaultKind::UpgradeFailed, ErrorKind::Authentication);
    row("426", 426, "", false, "", FaultKind::UpgradeFailed, ErrorKind::Unreachable);
    row("404", 404, "", false, "", FaultKind::UpgradeFailed, ErrorKind::Unreachable);
    row("500 may pass", 500, "", false, "", FaultKind::DialFailed, ErrorKind::Unreachable);
    row("302 is not followed", 302, "", false, "", FaultKind::UpgradeFailed,
        ErrorKind::Unreachable);
}

void UpgradeAnswerTest::isClassified()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, contentType);
    QFETCH(const bool, mitigated);
    QFETCH(const QByteArray, body);
    QFETCH(const int, fault);
    QFETCH(const int, error);
    UpgradeAnswer answer;
    answer.status = status;
    answer.contentType = contentType.constData();
    answer.mitigated = mitigated;
    answer.body = body.constData();
    const turn::Fault found = turn::classifyUpgrade(answer);
    QCOMPARE(int(found.kind), fault);
    QCOMPARE(int(found.error.kind), error);
    QCOMPARE(found.error.upstreamStatus.value_or(0), status);
    QVERIFY(!found.error.message.empty());
}

void UpgradeAnswerTest::aRejectionCarriesItsRetryAfter()
{
    UpgradeAnswer answer;
    answer.status = 403;
    answer.retryAfter = 7s;
    const turn::Fault fault = turn::classifyUpgrade(answer);
    QVERIFY(fault.stated == base::Milliseconds{7s});
    QVERIFY(fault.error.retryAfter == base::Milliseconds{7s});
}

void UpgradeAnswerTest::onlyAnUnacceptedCredentialSpeaksOfTheKey()
{
    for (const int status : {403, 429, 503}) {
        UpgradeAnswer answer;
        answer.status = status;
        QVERIFY(turn::classifyUpgrade(answer).error.message.find("key") == std::string::npos);
    }
}

void UpgradeAnswerTest::anAnswerToAPostIsTheEventItWouldHaveBeen_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("error");
    QTest::addColumn<QByteArray>("says");
    const auto row
        = [](const char *name, int status, const char *body, ErrorKind error, const char *says) {
              QTest::newRow(name) << status << QByteArray(body) << int(error) << QByteArray(says);
          };
    row("the provider's words (B36)", 400, R"({"error":{"message":"bad"}})",
        ErrorKind::InvalidRequest, "bad");
    row("a page of a gateway", 502, "<html>Bad Gateway</html>", ErrorKind::UpstreamFailed,
        "status 502");
    row("nothing at all", 500, "", ErrorKind::UpstreamFailed, "status 500");
    row("an empty 403 (B02)", 403, "", ErrorKind::Throttled, "status 403");
    row("a 403 with a reason", 403, R"({"error":{"message":"no access"}})", ErrorKind::Permission,
        "no access");
    row("too large", 413, "", ErrorKind::TooLarge, "status 413");
    row("a redirect", 307, "", ErrorKind::Unreachable, "not followed");
    row("JSON instead of events", 200, R"({"id":"resp_1"})", ErrorKind::Unreachable,
        "without a stream of events");
    row("the context is full (B81)", 400,
        R"({"error":{"code":"context_length_exceeded","message":"too long"}})",
        ErrorKind::ContextOverflow, "too long");
}

void UpgradeAnswerTest::anAnswerToAPostIsTheEventItWouldHaveBeen()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const int, error);
    QFETCH(const QByteArray, says);
    const turn::Fault fault = turn::classifyHttpAnswer(status, {}, body.toStdString(), {});
    QCOMPARE(int(fault.kind), int(FaultKind::ErrorEvent));
    QCOMPARE(int(fault.error.kind), error);
    QCOMPARE(fault.error.upstreamStatus, std::optional<int>(status));
    QVERIFY2(fault.error.message.find(says.toStdString()) != std::string::npos,
             fault.error.message.c_str());
}

void UpgradeAnswerTest::anAnswerToAPostCarriesItsRetryAfter()
{
    const auto stated = [](const char *name, const char *value, const char *body) {
        return turn::classifyHttpAnswer(429, {{name, value}}, body, {}).stated;
    };
    QCOMPARE(stated("Retry-After", "7", ""), std::optional<base::Milliseconds>(7s));
    QCOMPARE(stated("retry-after-ms", "1500", ""), std::optional<base::Milliseconds>(1500ms));
    QCOMPARE(stated("x", "", R"({"error":{"message":"try again in 3s"}})"),
             std::optional<base::Milliseconds>(3s));
    QCOMPARE(stated("x", "", ""), std::optional<base::Milliseconds>());
}

QTEST_APPLESS_MAIN(UpgradeAnswerTest)
#include "tst_upgradeanswer.moc"
