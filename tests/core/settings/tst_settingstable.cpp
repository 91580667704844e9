// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/settings.h"

#include <QTest>

#include <set>
#include <string>

using namespace headway::settings;

class SettingsTableTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsTheDefaultsOfTheSpecification_data();
    void holdsTheDefaultsOfTheSpecification();
    void holdsTheRangesOfTheSpecification_data();
    void holdsTheRangesOfTheSpecification();
    void acceptsEveryDefaultOfItsOwn();
    void findsEachKeyByItsNameAndNothingElse();
    void marksWhatIsReadOnlyAtStart();
    void describesEveryKeyInOneSentence();
    void saysWhatAValueMayBe();
    void findsTheNameThatWasMeant_data();
    void findsTheNameThatWasMeant();
};

void SettingsTableTest::holdsTheDefaultsOfTheSpecification_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("fallback");
    const auto row = [](const char *key, const char *fallback) {
        QTest::newRow(key) << QByteArray(key) << QByteArray(fallback);
    };
    // spec/cli.md, "Settings".
    row("policy", "auto");
    row("rate_per_min", "60");
    row("rate_pinned", "false");
    row("burst", "10");
    row("idle_ms", "120000");
    row("total_ms", "600000");
    row("retries", "5");
    row("spacing_floor_ms", "0");
    row("token_floor", "35000");
    row("max_wait_interactive_ms", "5000");
    row("max_wait_batch_ms", "65000");
    row("open_stream_after_ms", "45000");
    row("nursery_cap", "128");
    row("established_cap", "256");
    row("nursery_idle_s", "300");
    row("established_idle_s", "1800");
    row("rotate_s", "3300");
    row("lanes", "auto");
    row("spares", "0");
    row("first_event_ms", "60000");
    row("listen", "127.0.0.1:17421");
    row("allowed_hosts", "");
    row("upstream", "");
    row("models", "");
    row("ledger", "");
    row("retention_days", "30");
    row("retention_mib", "512");
    row("max_body_mib", "64");
    row("max_connections", "");
    row("memory_mib", "1024");
    row("access_key", "");
    row("control_key", "");
    row("upstream_key", "");
    row("log_level", "info");
    row("cache_key_per_agent", "false");
    row("client_sockets", "true");
    // Off: a cap or a depth of 0.
    row("tool_output_cap", "0");
    row("view_output_cap", "0");
    row("view_tools", "browser__");
    row("elide_views", "false");
    row("history_turns", "0");
}

void SettingsTableTest::holdsTheDefaultsOfTheSpecification()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, fallback);
    const auto found = find(key.toStdString());
    QVERIFY(found);
    QCOMPARE(QByteArray::fromStdString(Settings().text(*found)), fallback);
    QCOMPARE(Settings().source(*found), Source::Default);
}

void SettingsTableTest::holdsTheRangesOfTheSpecification_data()
{
    QTest::addColumn<Key>("key");
    QTest::addColumn<qint64>("minimum");
    QTest::addColumn<qint64>("maximum");
    QTest::newRow("idle_ms") << Key::IdleMs << qint64(10'000) << qint64(3'600'000);
    QTest::newRow("total_ms") << Key::TotalMs << qint64(60'000) << qint64(21'600'000);
    QTest::newRow("retries") << Key::Retries << qint64(0) << qint64(10);
    QTest::newRow("rate_per_min") << Key::RatePerMin << qint64(0) << qint64(600);
    QTest::newRow("burst") << Key::Burst << qint64(1) << qint64(100);
    QTest::newRow("spacing_floor_ms") << Key::SpacingFloorMs << qint64(0) << qint64(60'000);
    QTest::newRow("nursery_cap") << Key::NurseryCap << qint64(1) << qint64(4'096);
    QTest::newRow("established_cap") << Key::EstablishedCap << qint64(1) << qint64(4'096);
    QTest::newRow("spares") << Key::Spares << qint64(0) << qint64(16);
    QTest::newRow("max_connections") << Key::MaxConnections << qint64(1) << qint64(8'192);
}

void SettingsTableTest::holdsTheRangesOfTheSpecification()
{
    QFETCH(const Key, key);
    QFETCH(const qint64, minimum);
    QFETCH(const qint64, maximum);
    Settings settings;
    for (const qint64 inside : {minimum, maximum}) {
        const auto outcome = settings.set(Source::File, key, std::to_string(inside));
        QVERIFY(outcome.accepted && !outcome.notice);
        QCOMPARE(qint64(settings.integer(key)), inside);
    }
    QVERIFY(settings.set(Source::File, key, std::to_string(maximum + 1)).notice);
    QCOMPARE(qint64(settings.integer(key)), maximum);
    QVERIFY(settings.set(Source::File, key, std::to_string(minimum - 1)).notice);
    QCOMPARE(qint64(settings.integer(key)), key == Key::RatePerMin ? 1 : minimum);
}

void SettingsTableTest::acceptsEveryDefaultOfItsOwn()
{
    for (const Row &row : table()) {
        if (row.fallback.empty())
            continue;
        Settings settings;
        const auto outcome = settings.set(Source::File, row.key, row.fallback);
        QVERIFY2(outcome.accepted && !outcome.notice, row.name.data());
        QCOMPARE(settings.text(row.key), std::string(row.fallback));
    }
}

void SettingsTableTest::findsEachKeyByItsNameAndNothingElse()
{
    std::set<std::string_view> names;
    for (const Row &row : table()) {
        QVERIFY2(names.insert(row.name).second, row.name.data());
        QCOMPARE(find(row.name), std::optional(row.key));
        QCOMPARE(headway::settings::row(row.key).name, row.name);
    }
    QCOMPARE(names.size(), std::size_t(42));
    QCOMPARE(find(""), std::nullopt);
    QCOMPARE(find("IDLE_MS"), std::nullopt);
    QCOMPARE(find("idle_ms "), std::nullopt);
}

void SettingsTableTest::marksWhatIsReadOnlyAtStart()
{
    const std::set<Key> atStart{Key::Listen, Key::AllowedHosts, Key::Upstream,
                                Key::Models, Key::ModelHeaders, Key::Ledger};
    for (const Row &row : table())
        QVERIFY2(row.atRuntime != atStart.contains(row.key), row.name.data());
}

void SettingsTableTest::describesEveryKeyInOneSentence()
{
    for (const Row &row : table()) {
        QVERIFY2(row.description.size() > 10, row.name.data());
        QVERIFY2(row.description.ends_with('.'), row.name.data());
    }
}

void SettingsTableTest::saysWhatAValueMayBe()
{
    QCOMPARE(allowedValues(row(Key::RatePerMin)), std::string("0 to 600 per minute"));
    QCOMPARE(allowedValues(row(Key::Retries)), std::string("0 to 10"));
    QCOMPARE(allowedValues(row(Key::RatePinned)), std::string("true or false"));
    QCOMPARE(allowedValues(row(Key::LogLevel)), std::string("debug, info, warning or error"));
    QCOMPARE(allowedValues(row(Key::Upstream)), std::string());
}

void SettingsTableTest::findsTheNameThatWasMeant_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("meant");
    const auto row = [](const char *written, const char *meant) {
        QTest::newRow(written) << QByteArray(written) << QByteArray(meant);
    };
    row("rate", "rate_per_min"); // a beginning
    row("retries_ms", "retries"); // and something after one
    row("polcy", "policy"); // left out
    row("bursts", "burst");
    row("upstream_keys", "upstream_key"); // not upstream, though it begins so
    row("ploicy", "policy"); // two letters changed places
    row("nursery_idle_ms", "nursery_idle_s");
    row("speed", ""); // something else
    row("", "");
    row("x", "");
}

void SettingsTableTest::findsTheNameThatWasMeant()
{
    QFETCH(const QByteArray, written);
    QFETCH(const QByteArray, meant);
    QCOMPARE(std::string(nearest(written.toStdString())), meant.toStdString());
    QCOMPARE(nearest(std::string(1 << 20, 'a')), std::string_view());
}

QTEST_APPLESS_MAIN(SettingsTableTest)
#include "tst_settingstable.moc"
