// SPDX-License-Identifier: GPL-3.0-or-later
// spec/pacing.md section 6: is it a rate limit? By status, type or code; in prose by whole words.
#include "proxy/core/dialects/translate/errorkind.h"

#include <QTest>

using headway::dialects::ErrorKind;
using headway::dialects::errorKind;

class RateLimitWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void statusTypeAndCodeTell();
    void proseTellsByWholeWords();
    void aNumberInProseIsNoRateLimit();
    void aPlanLimitIsNoThrottle();
};

void RateLimitWordsTest::statusTypeAndCodeTell()
{
    QCOMPARE(errorKind("", "", 429, ""), ErrorKind::Throttled);
    QCOMPARE(errorKind("rate_limit_exceeded", "", {}, ""), ErrorKind::Throttled);
    QCOMPARE(errorKind("slow_down", "", {}, ""), ErrorKind::Throttled);
    QCOMPARE(errorKind("", "rate_limit_error", {}, ""), ErrorKind::Throttled);
}

void RateLimitWordsTest::proseTellsByWholeWords()
{
    QCOMPARE(errorKind("", "", {}, "Rate limit reached for gpt"), ErrorKind::Throttled);
    QCOMPARE(errorKind("", "", {}, "Too Many Requests"), ErrorKind::Throttled);
    QVERIFY(errorKind("", "", {}, "corporate limit reached") != ErrorKind::Throttled);
}

void RateLimitWordsTest::aNumberInProseIsNoRateLimit()
{
    for (const char *prose : {"request 429 failed", "req_8429a1", "sent 1429 bytes",
                              "wrote 429 bytes", "id 4291", "see item 429"})
        QVERIFY2(errorKind("", "", {}, prose) != ErrorKind::Throttled, prose);
}

void RateLimitWordsTest::aPlanLimitIsNoThrottle()
{
    QCOMPARE(errorKind("usage_limit_reached", "", 429, ""), ErrorKind::PlanLimit);
    QCOMPARE(errorKind("insufficient_quota", "", 429, ""), ErrorKind::PlanLimit);
}

QTEST_APPLESS_MAIN(RateLimitWordsTest)
#include "tst_ratelimitwords.moc"
