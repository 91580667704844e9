// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/settings.h"

#include <QTest>

#include <set>
#include <string>
#include <utility>

using namespace headway::settings;
using headway::base::Milliseconds;

class SettingsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void letsTheHigherSourceDecide();
    void fallsBackWhenASourceIsUnset();
    void refusesMalformedNumbersAndKeepsWhatWasThere_data();
    void refusesMalformedNumbersAndKeepsWhatWasThere();
    void acceptsBlanksAroundANumber();
    void clampsWithOneNotice_data();
    void clampsWithOneNotice();
    void readsFlags();
    void readsChoices();
    void refusesControlCharactersInTexts();
    void neverShowsASecret();
    void keepsTheNoticesOfDifferentFaultsApart();
    void locksWhatCommandLineAndEnvironmentFix();
    void handsOnlyWhatTheUserSetToTheBudget();
    void doesNotLetTheDefaultBeSet();
};

void SettingsTest::letsTheHigherSourceDecide()
{
    Settings settings;
    const std::pair<Source, std::int64_t> rising[] = {
        {Source::File, 3}, {Source::Environment, 4}, {Source::CommandLine, 5}, {Source::Window, 6}};
    for (const auto &[source, value] : rising) {
        QVERIFY(settings.set(source, Key::Burst, std::to_string(value)).accepted);
        QCOMPARE(settings.integer(Key::Burst), value);
        QCOMPARE(settings.source(Key::Burst), source);
    }
    QVERIFY(settings.set(Source::File, Key::Burst, "9").accepted);
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(6));
}

void SettingsTest::fallsBackWhenASourceIsUnset()
{
    Settings settings;
    settings.set(Source::File, Key::Burst, "3");
    settings.set(Source::CommandLine, Key::Burst, "5");
    settings.unset(Source::CommandLine, Key::Burst);
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(3));
    settings.unset(Source::File, Key::Burst);
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(10));
    QVERIFY(!settings.isSet(Key::Burst));
}

void SettingsTest::refusesMalformedNumbersAndKeepsWhatWasThere_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"", " ", "-", "+5", "1e3", "0x10", "1.5", "5 5", "5ms", "NaN", "--5",
                             "5-", "disabled:3:14001", "\xd9\xa5", "1,000"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("NUL inside") << QByteArray("5\0", 2);
}

void SettingsTest::refusesMalformedNumbersAndKeepsWhatWasThere()
{
    QFETCH(const QByteArray, text);
    Settings settings;
    settings.set(Source::File, Key::RatePerMin, "7");
    const auto outcome = settings.set(Source::File, Key::RatePerMin, text.toStdString());
    QVERIFY(!outcome.accepted);
    QVERIFY(outcome.notice);
    QVERIFY(outcome.notice->text.find("rate_per_min") != std::string::npos);
    QVERIFY(outcome.notice->key.starts_with("settings.malformed:file:rate_per_min"));
    QCOMPARE(settings.integer(Key::RatePerMin), std::int64_t(7));
}

void SettingsTest::acceptsBlanksAroundANumber()
{
    Settings settings;
    QVERIFY(settings.set(Source::Environment, Key::RatePerMin, " \t 42 ").accepted);
    QCOMPARE(settings.integer(Key::RatePerMin), std::int64_t(42));
    QCOMPARE(settings.text(Key::RatePerMin), std::string("42"));
    QVERIFY(settings.set(Source::Environment, Key::RatePerMin, "007").accepted);
    QCOMPARE(settings.text(Key::RatePerMin), std::string("7"));
}

void SettingsTest::clampsWithOneNotice_data()
{
    QTest::addColumn<Key>("key");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("negative rate is not off") << Key::RatePerMin << QByteArray("-1") << qint64(1);
    QTest::newRow("rate far below")
        << Key::RatePerMin << QByteArray("-99999999999999999999") << qint64(1);
    QTest::newRow("rate above") << Key::RatePerMin << QByteArray("601") << qint64(600);
    QTest::newRow("beyond 64 bits")
        << Key::RatePerMin << QByteArray("99999999999999999999") << qint64(600);
    QTest::newRow("burst zero") << Key::Burst << QByteArray("0") << qint64(1);
    QTest::newRow("retries negative") << Key::Retries << QByteArray("-3") << qint64(0);
    QTest::newRow("retries above") << Key::Retries << QByteArray("99") << qint64(10);
    QTest::newRow("idle below") << Key::IdleMs << QByteArray("9999") << qint64(10'000);
    QTest::newRow("idle above") << Key::IdleMs << QByteArray("3600001") << qint64(3'600'000);
}

void SettingsTest::clampsWithOneNotice()
{
    QFETCH(const Key, key);
    QFETCH(const QByteArray, text);
    QFETCH(const qint64, expected);
    Settings settings;
    const auto outcome = settings.set(Source::CommandLine, key, text.toStdString());
    QVERIFY(outcome.accepted);
    QCOMPARE(qint64(settings.integer(key)), expected);
    QVERIFY(outcome.notice);
    QVERIFY(outcome.notice->text.find(row(key).name) != std::string::npos);
    QVERIFY(outcome.notice->text.find(text.toStdString()) != std::string::npos);
    QVERIFY(outcome.notice->text.find(std::to_string(expected)) != std::string::npos);
}

void SettingsTest::readsFlags()
{
    Settings settings;
    QVERIFY(!settings.flag(Key::RatePinned));
    for (const char *yes : {"true", "1", "on", "yes", " true "}) {
        settings.unset(Source::File, Key::RatePinned);
        QVERIFY2(settings.set(Source::File, Key::RatePinned, yes).accepted, yes);
        QVERIFY2(settings.flag(Key::RatePinned), yes);
        QCOMPARE(settings.text(Key::RatePinned), std::string("true"));
    }
    for (const char *no : {"false", "0", "off", "no"}) {
        QVERIFY2(settings.set(Source::File, Key::RatePinned, no).accepted, no);
        QVERIFY2(!settings.flag(Key::RatePinned), no);
    }
    QVERIFY(!settings.set(Source::File, Key::RatePinned, "maybe").accepted);
}

void SettingsTest::readsChoices()
{
    Settings settings;
    QVERIFY(settings.set(Source::File, Key::Policy, "off").accepted);
    QCOMPARE(settings.text(Key::Policy), std::string("off"));
    for (const char *wrong : {"", "Bucket", "buck", "off|bucket", "|", "automatic"}) {
        const auto outcome = settings.set(Source::File, Key::Policy, wrong);
        QVERIFY2(!outcome.accepted && outcome.notice, wrong);
    }
    QCOMPARE(settings.text(Key::Policy), std::string("off"));
    for (const char *policy : {"fixed", "bucket", "adaptive", "auto"})
        QVERIFY2(settings.set(Source::File, Key::Policy, policy).accepted, policy);
    for (const char *level : {"debug", "info", "warning", "error"})
        QVERIFY2(settings.set(Source::File, Key::LogLevel, level).accepted, level);
}

void SettingsTest::refusesControlCharactersInTexts()
{
    Settings settings;
    QVERIFY(settings.set(Source::File, Key::Upstream, "wss://host/v1/responses").accepted);
    const auto outcome = settings.set(Source::File, Key::Upstream, "wss://u:pw@host/\x1b[31m");
    QVERIFY(!outcome.accepted && outcome.notice);
    QVERIFY(outcome.notice->text.find("pw") == std::string::npos);
    QVERIFY(outcome.notice->key.find("pw") == std::string::npos);
    QCOMPARE(settings.text(Key::Upstream), std::string("wss://host/v1/responses"));
    const auto path = settings.set(Source::File, Key::Ledger, "/tmp/a\nb");
    QVERIFY(!path.accepted && path.notice);
    QVERIFY(path.notice->text.find('\n') == std::string::npos);
}

void SettingsTest::neverShowsASecret()
{
    Settings settings;
    for (const Key key : {Key::AccessKey, Key::ControlKey, Key::UpstreamKey}) {
        for (const char *bad : {"hunter2 hunter2", "hunter2\x01", "hunter2\xc3\xa9"}) {
            const auto outcome = settings.set(Source::Environment, key, bad);
            QVERIFY(!outcome.accepted && outcome.notice);
            QVERIFY(outcome.notice->text.find("hunter2") == std::string::npos);
            QVERIFY(outcome.notice->key.find("hunter2") == std::string::npos);
            QVERIFY(outcome.notice->text.find(row(key).name) != std::string::npos);
        }
        QVERIFY(!settings.set(Source::Environment, key, "").accepted);
        QVERIFY(!settings.set(Source::Environment, key, "sk-proj-1_2").notice);
        QCOMPARE(settings.text(key), std::string("sk-proj-1_2"));
    }
}

// Case B08: one notice must not be able to hide another.
void SettingsTest::keepsTheNoticesOfDifferentFaultsApart()
{
    Settings settings;
    const auto first = settings.set(Source::Environment, Key::RatePerMin, "disabled:3:14001");
    const auto second = settings.set(Source::File, Key::RatePerMin, "disabled:3:14001");
    const auto third = settings.set(Source::Environment, Key::RatePerMin, "other");
    const auto fourth = settings.set(Source::Environment, Key::RatePerMin, "601");
    QVERIFY(first.notice && second.notice && third.notice && fourth.notice);
    const std::set<std::string> keys{first.notice->key, second.notice->key, third.notice->key,
                                     fourth.notice->key};
    QCOMPARE(keys.size(), std::size_t(4));
    for (const std::string &key : keys)
        QVERIFY(key.starts_with("settings."));
}

void SettingsTest::locksWhatCommandLineAndEnvironmentFix()
{
    Settings settings;
    QVERIFY(!settings.isLocked(Key::Burst));
    settings.set(Source::File, Key::Burst, "3");
    settings.set(Source::Window, Key::Burst, "4");
    QVERIFY(!settings.isLocked(Key::Burst));
    settings.set(Source::Environment, Key::Burst, "5");
    QVERIFY(settings.isLocked(Key::Burst));
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(4));
    settings.unset(Source::Environment, Key::Burst);
    settings.set(Source::CommandLine, Key::Burst, "6");
    QVERIFY(settings.isLocked(Key::Burst));
}

void SettingsTest::handsOnlyWhatTheUserSetToTheBudget()
{
    Settings settings;
    QVERIFY(!settings.budget().idle && !settings.budget().total && !settings.budget().retries);
    settings.set(Source::File, Key::IdleMs, "30000");
    settings.set(Source::Window, Key::Retries, "2");
    QCOMPARE(settings.budget().idle, std::optional(Milliseconds(30'000)));
    QVERIFY(!settings.budget().total);
    QCOMPARE(settings.budget().retries, std::optional(2));
}

void SettingsTest::doesNotLetTheDefaultBeSet()
{
    Settings settings;
    QVERIFY(!settings.set(Source::Default, Key::Burst, "3").accepted);
    settings.unset(Source::Default, Key::Burst);
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(10));
    QCOMPARE(settings.integer(Key::MaxConnections), std::int64_t(0));
}

QTEST_APPLESS_MAIN(SettingsTest)
#include "tst_settings.moc"
