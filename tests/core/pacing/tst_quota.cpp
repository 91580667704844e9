// SPDX-License-Identifier: GPL-3.0-or-later
// Quota windows by headers and events, named by their length (protocol notes 2.6).
#include "proxy/core/pacing/quota.h"

#include <QTest>

#include <chrono>

using namespace headway;
using namespace headway::pacing;
using namespace std::chrono_literals;

namespace {

constexpr base::WallTime now{base::Milliseconds{1'764'000'000'000}};

QuotaWindow window(const char *name, base::Seconds length, double used,
                   std::optional<base::WallTime> resetsAt, const char *meter = "codex")
{
    return {meter, name, length, used, resetsAt};
}

} // namespace

class QuotaTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAWindowByItsLength_data();
    void namesAWindowByItsLength();
    void readsTheHeaders();
    void readsTheEvent();
    void keepsTheMetersApart();
    void replacesWhatIsToldAgain();
    void forgetsWhatWasUsedOnceTheWindowHasEnded();
    void passesOverWhatMakesNoSense_data();
    void passesOverWhatMakesNoSense();
    void isBounded();
};

void QuotaTest::namesAWindowByItsLength_data()
{
    QTest::addColumn<int>("minutes");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("five hours") << 300 << QByteArray("5 h");
    QTest::newRow("a week") << 10'080 << QByteArray("7 d");
    QTest::newRow("a day") << 1'440 << QByteArray("1 d");
    QTest::newRow("an hour and a half") << 90 << QByteArray("90 min");
}

void QuotaTest::namesAWindowByItsLength()
{
    QFETCH(const int, minutes);
    QFETCH(const QByteArray, name);
    QCOMPARE(QByteArray::fromStdString(windowName(std::chrono::minutes{minutes})), name);
}

void QuotaTest::readsTheHeaders()
{
    Quota quota;
    QVERIFY(quota.readHeaders({{"x-codex-primary-used-percent", "12.5"},
                               {"x-codex-primary-window-minutes", "10080"},
                               {"x-codex-primary-reset-at", "1764003600"},
                               {"x-codex-secondary-used-percent", "3"},
                               {"x-codex-secondary-window-minutes", "300"},
                               {"x-codex-secondary-reset-after-seconds", "60"},
                               {"x-codex-plan-type", "pro"}},
                              now));
    // The week stood in the first slot.
    const std::vector<QuotaWindow> expected{
        window("5 h", 5h, 3, now + 60s),
        window("7 d", 7 * 24h, 12.5, now + 3600s),
    };
    QVERIFY(quota.windows(now) == expected);
}

void QuotaTest::readsTheEvent()
{
    Quota quota;
    QVERIFY(quota.readEvent(
        R"({"type":"codex.rate_limits","plan_type":"plus","rate_limits":{"allowed":true,)"
        R"("limit_reached":false,"primary":{"used_percent":41,"window_minutes":300,)"
        R"("reset_after_seconds":120,"reset_at":1764000120},"secondary":null}})",
        now));
    QVERIFY(quota.windows(now) == std::vector{window("5 h", 5h, 41, now + 120s)});
}

void QuotaTest::keepsTheMetersApart()
{
    Quota quota;
    QVERIFY(quota.readHeaders({{"x-codex-primary-used-percent", "1"},
                               {"x-codex-primary-window-minutes", "300"},
                               {"x-codex-spark-primary-used-percent", "2"},
                               {"x-codex-spark-primary-window-minutes", "300"}},
                              now));
    QVERIFY(quota.windows(now)
            == (std::vector{window("5 h", 5h, 1, {}), window("5 h", 5h, 2, {}, "codex-spark")}));
}

void QuotaTest::replacesWhatIsToldAgain()
{
    Quota quota;
    for (const char *used : {"10", "20"})
        QVERIFY(quota.readHeaders(
            {{"x-codex-primary-used-percent", used}, {"x-codex-primary-window-minutes", "300"}},
            now));
    QVERIFY(quota.windows(now) == std::vector{window("5 h", 5h, 20, {})});
}

void QuotaTest::forgetsWhatWasUsedOnceTheWindowHasEnded()
{
    Quota quota;
    QVERIFY(quota.readHeaders({{"x-codex-primary-used-percent", "99"},
                               {"x-codex-primary-window-minutes", "300"},
                               {"x-codex-primary-reset-after-seconds", "60"}},
                              now));
    QCOMPARE(quota.windows(now + 60s - 1ms).at(0).usedPercent, 99.0);
    QVERIFY(quota.windows(now + 60s) == std::vector{window("5 h", 5h, 0, {})});
}

void QuotaTest::passesOverWhatMakesNoSense_data()
{
    QTest::addColumn<QByteArray>("used");
    QTest::addColumn<QByteArray>("minutes");
    QTest::newRow("no length") << QByteArray("1") << QByteArray();
    QTest::newRow("no figure") << QByteArray() << QByteArray("300");
    QTest::newRow("negative") << QByteArray("-1") << QByteArray("300");
    QTest::newRow("nan") << QByteArray("nan") << QByteArray("300");
    QTest::newRow("zero minutes") << QByteArray("1") << QByteArray("0");
    QTest::newRow("an eternity") << QByteArray("1") << QByteArray("1e18");
    QTest::newRow("words") << QByteArray("1%") << QByteArray("five");
}

void QuotaTest::passesOverWhatMakesNoSense()
{
    QFETCH(const QByteArray, used);
    QFETCH(const QByteArray, minutes);
    Quota quota;
    QVERIFY(!quota.readHeaders({{"x-codex-primary-used-percent", used.toStdString()},
                                {"x-codex-primary-window-minutes", minutes.toStdString()}},
                               now));
    QVERIFY(!quota.readEvent("{\"rate_limits\":[1]}", now));
    QVERIFY(!quota.readEvent("no JSON", now));
    QVERIFY(quota.windows(now).empty());
}

void QuotaTest::isBounded()
{
    Quota quota;
    for (int i = 0; i < 1000; ++i) {
        const std::string meter = "x-m" + std::to_string(i) + "-primary-";
        (void)quota.readHeaders({{meter + "used-percent", "1"}, {meter + "window-minutes", "300"}},
                                now);
    }
    QCOMPARE(quota.windows(now).size(), std::size_t{32});
}

QTEST_APPLESS_MAIN(QuotaTest)
#include "tst_quota.moc"
