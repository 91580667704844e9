// SPDX-License-Identifier: GPL-3.0-or-later
// spec/ledger.md, "Records": the kinds that say how the limits move, only when they do.
#include "proxy/core/ledger/limitwatch.h"

#include <QTest>

#include <chrono>

using namespace headway;
using namespace std::chrono_literals;
using ledger::Body;

class LimitWatchTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void nothingIsToldWhileNothingChanges();
    void aSpacingIsToldAsItChanges();
    void whatChangesWithinASecondIsToldOnceWithItsNewestValue();
    void aCeilingIsToldWithWhatItWas();
    void confidenceThatFadesIsNoChange();
    void aTokenBudgetIsToldAtItsEdges();
    void aTokenBudgetThatOnlyShrinksIsToldOnceAMinute();
    void aQuotaIsToldWhenItChanges();
    void aResetToldInSecondsDoesNotMove();
    void aQuotaThatEndedUnheardIsNotToldAgain();
    void quotasOfOneLengthAreToldForEachMeter();

private:
    [[nodiscard]] std::vector<Body> lookAt(base::Nanoseconds at);
    void tell(const char *used, const char *minutes, std::int64_t resetAt);

    base::Now m_start{base::SteadyTime(1h), base::WallTime(1'772'355'900s)}; // 2026-03-01T09:05:00Z
    ledger::LimitWatch m_watch;
    base::Nanoseconds m_spacing{0};
    pacing::CeilingEstimate m_estimate;
    pacing::TokenBudget m_tokens{1};
    pacing::Quota m_quota;
};

void LimitWatchTest::init()
{
    m_watch = {};
    m_spacing = 0s;
    m_estimate = {};
    m_tokens = pacing::TokenBudget(1);
    m_quota = {};
}

std::vector<Body> LimitWatchTest::lookAt(base::Nanoseconds at)
{
    const base::Now now{m_start.steady + at,
                        m_start.wall + std::chrono::floor<base::Milliseconds>(at)};
    return m_watch.look({.policy = "adaptive",
                         .spacing = m_spacing,
                         .estimate = m_estimate,
                         .tokens = m_tokens,
                         .quota = m_quota},
                        now);
}

void LimitWatchTest::tell(const char *used, const char *minutes, std::int64_t resetAt)
{
    QVERIFY(m_quota.readHeaders({{"x-codex-primary-used-percent", used},
                                 {"x-codex-primary-window-minutes", minutes},
                                 {"x-codex-primary-reset-at", std::to_string(resetAt)}},
                                m_start.wall));
}

void LimitWatchTest::nothingIsToldWhileNothingChanges()
{
    QCOMPARE(lookAt(0s).size(), std::size_t{0}); // nothing is limited, nothing was told
    QCOMPARE(lookAt(1h).size(), std::size_t{0});
}

void LimitWatchTest::aSpacingIsToldAsItChanges()
{
    m_spacing = 1s;
    const auto first = lookAt(0s);
    QCOMPARE(first.size(), std::size_t{1});
    const auto change = std::get<ledger::SpacingChanged>(first.front());
    QCOMPARE(change.policy, std::string("adaptive"));
    QCOMPARE(change.oldMs, 0.0);
    QCOMPARE(change.newMs, 1'000.0);
    QCOMPARE(lookAt(5s).size(), std::size_t{0});
    m_spacing = 0s;
    const auto second = lookAt(6s);
    QCOMPARE(second.size(), std::size_t{1});
    QCOMPARE(std::get<ledger::SpacingChanged>(second.front()).oldMs, 1'000.0);
    QCOMPARE(std::get<ledger::SpacingChanged>(second.front()).newMs, 0.0);
}

void LimitWatchTest::whatChangesWithinASecondIsToldOnceWithItsNewestValue()
{
    m_spacing = 1s;
    QCOMPARE(lookAt(0s).size(), std::size_t{1});
    m_spacing = 2s;
    QCOMPARE(lookAt(300ms).size(), std::size_t{0});
    m_spacing = 4s;
    QCOMPARE(lookAt(999ms).size(), std::size_t{0});
    const auto later = lookAt(1s);
    QCOMPARE(later.size(), std::size_t{1});
    QCOMPARE(std::get<ledger::SpacingChanged>(later.front()).oldMs, 1'000.0);
    QCOMPARE(std::get<ledger::SpacingChanged>(later.front()).newMs, 4'000.0);
}

void LimitWatchTest::aCeilingIsToldWithWhatItWas()
{
    m_estimate = {.shape = pacing::CeilingShape::Window, .perMinute = 70, .confidence = 0.5};
    const auto first = std::get<ledger::CeilingChanged>(lookAt(0s).at(0));
    QCOMPARE(first.oldShape, std::string("unknown"));
    QCOMPARE(first.shape, std::string("window"));
    QVERIFY(!first.oldPerMinute);
    QCOMPARE(first.perMinute, std::optional(70.0));
    QVERIFY(!first.spacingMs && !first.socketCap);
    QCOMPARE(first.confidence, 0.5);
    m_estimate = {.shape = pacing::CeilingShape::Cap, .socketCap = 40, .confidence = 0.75};
    const auto second = std::get<ledger::CeilingChanged>(lookAt(2s).at(0));
    QCOMPARE(second.oldShape, std::string("window"));
    QCOMPARE(second.oldPerMinute, std::optional(70.0));
    QVERIFY(!second.perMinute && !second.oldSocketCap);
    QCOMPARE(second.socketCap, std::optional<std::uint64_t>(40));
    m_estimate = {.shape = pacing::CeilingShape::Rate, .perMinute = 24, .spacing = 2'500ms};
    const auto third = std::get<ledger::CeilingChanged>(lookAt(4s).at(0));
    QCOMPARE(third.spacingMs, std::optional(2'500.0));
    QCOMPARE(third.oldSocketCap, std::optional<std::uint64_t>(40));
}

void LimitWatchTest::confidenceThatFadesIsNoChange()
{
    m_estimate = {.shape = pacing::CeilingShape::Window, .perMinute = 70, .confidence = 0.5};
    QCOMPARE(lookAt(0s).size(), std::size_t{1});
    m_estimate.confidence = 0.2;
    m_estimate.measuredAt += 1h;
    QCOMPARE(lookAt(3h).size(), std::size_t{0});
}

// 60 000 of 100 000 tokens: the floor is 25 000, so 40 000 more hold the next call for a minute.
void LimitWatchTest::aTokenBudgetIsToldAtItsEdges()
{
    QVERIFY(m_tokens.read("x-ratelimit-limit-tokens", "100000", m_start));
    QVERIFY(m_tokens.read("x-ratelimit-remaining-tokens", "60000", m_start));
    QVERIFY(m_tokens.read("x-ratelimit-reset-tokens", "60s", m_start));
    const auto first = std::get<ledger::TokenBudget>(lookAt(0s).at(0));
    QCOMPARE(first.family, std::string("tokens"));
    QCOMPARE(first.limit, std::optional<std::uint64_t>(100'000));
    QCOMPARE(first.remaining, std::uint64_t{60'000});
    QCOMPARE(first.left, std::uint64_t{60'000});
    QCOMPARE(first.floor, std::uint64_t{25'000});
    QCOMPARE(first.resetMs, std::optional(60'000.0));
    QVERIFY(!first.holding);
    m_tokens.sent(40'000);
    const auto second = std::get<ledger::TokenBudget>(lookAt(2s).at(0));
    QCOMPARE(second.remaining, std::uint64_t{60'000});
    QCOMPARE(second.left, std::uint64_t{20'000});
    QCOMPARE(second.resetMs, std::optional(58'000.0));
    QVERIFY(second.holding);
    QCOMPARE(lookAt(30s).size(), std::size_t{0});
    const auto third = std::get<ledger::TokenBudget>(lookAt(61s).at(0));
    QVERIFY(!third.holding && !third.resetMs);
}

void LimitWatchTest::aTokenBudgetThatOnlyShrinksIsToldOnceAMinute()
{
    QVERIFY(m_tokens.read("x-ratelimit-remaining-requests", "5000", m_start));
    QCOMPARE(lookAt(0s).size(), std::size_t{1});
    for (auto at = 1s; at < 60s; ++at) {
        m_tokens.sent(0);
        QCOMPARE(lookAt(at).size(), std::size_t{0});
    }
    const auto later = std::get<ledger::TokenBudget>(lookAt(60s).at(0));
    QCOMPARE(later.family, std::string("requests"));
    QCOMPARE(later.left, std::uint64_t{5'000 - 59});
    QVERIFY(!later.limit);
}

void LimitWatchTest::aQuotaIsToldWhenItChanges()
{
    tell("41.5", "300", 1'772'370'000);
    const auto first = std::get<ledger::QuotaWindow>(lookAt(0s).at(0));
    QCOMPARE(first.meter, std::string("codex"));
    QCOMPARE(first.window, std::string("5 h"));
    QCOMPARE(first.lengthMs, 18'000'000.0);
    QCOMPARE(first.usedPercent, 41.5);
    QCOMPARE(first.resetsAt, std::optional(base::WallTime(1'772'370'000s)));
    tell("41.5", "300", 1'772'370'000);
    QCOMPARE(lookAt(10s).size(), std::size_t{0});
    tell("42", "300", 1'772'370'000);
    QCOMPARE(std::get<ledger::QuotaWindow>(lookAt(20s).at(0)).usedPercent, 42.0);
    tell("42", "300", 1'772'380'000);
    QCOMPARE(lookAt(30s).size(), std::size_t{1});
    tell("3", "10080", 1'772'900'000); // beside it
    QCOMPARE(std::get<ledger::QuotaWindow>(lookAt(40s).at(0)).window, std::string("7 d"));
}

void LimitWatchTest::aResetToldInSecondsDoesNotMove()
{
    const auto tellAfter = [this](const char *seconds, base::Milliseconds at) {
        return m_quota.readHeaders({{"x-codex-primary-used-percent", "10"},
                                    {"x-codex-primary-window-minutes", "300"},
                                    {"x-codex-primary-reset-after-seconds", seconds}},
                                   m_start.wall + at);
    };
    QVERIFY(tellAfter("9000", 0ms));
    QCOMPARE(lookAt(0s).size(), std::size_t{1});
    QVERIFY(tellAfter("8990", 10'700ms)); // rounded to seconds
    QCOMPARE(lookAt(11s).size(), std::size_t{0});
    QVERIFY(tellAfter("9000", 20s));
    QCOMPARE(lookAt(20s).size(), std::size_t{1});
}

// The window shows 0 % then, but nobody said so.
void LimitWatchTest::aQuotaThatEndedUnheardIsNotToldAgain()
{
    tell("41", "300", 1'772'355'960); // in a minute
    QCOMPARE(lookAt(0s).size(), std::size_t{1});
    QCOMPARE(lookAt(61s).size(), std::size_t{0});
}

void LimitWatchTest::quotasOfOneLengthAreToldForEachMeter()
{
    QVERIFY(m_quota.readEvent(
        R"({"type":"codex.rate_limits","metered_limit_name":"spark","rate_limits":)"
        R"({"primary":{"used_percent":7,"window_minutes":300,"reset_at":1772370000}}})",
        m_start.wall));
    tell("41", "300", 1'772'370'000);
    const auto told = lookAt(0s);
    QCOMPARE(told.size(), std::size_t{2});
    QCOMPARE(std::get<ledger::QuotaWindow>(told[0]).meter, std::string("codex"));
    QCOMPARE(std::get<ledger::QuotaWindow>(told[1]).meter, std::string("spark"));
    QCOMPARE(std::get<ledger::QuotaWindow>(told[1]).usedPercent, 7.0);
}

QTEST_APPLESS_MAIN(LimitWatchTest)
#include "tst_limitwatch.moc"
