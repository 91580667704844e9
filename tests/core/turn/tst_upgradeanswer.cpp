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

QTEST_APPLESS_MAIN(UpgradeAnswerTest)
#include "tst_upgradeanswer.moc"
