// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/settingsfile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <string>
#include <sys/stat.h>

using namespace headway::settings;
using headway::pacing::Notice;
using headway::store::environmentName;
using headway::store::readEnvironment;
using headway::store::SettingsFile;

namespace {

constexpr QFileDevice::Permissions ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner
    | QFileDevice::ReadUser | QFileDevice::WriteUser;

bool mentions(const std::vector<Notice> &notices, const std::string &word)
{
    return std::ranges::any_of(notices, [&word](const Notice &notice) {
        return notice.text.find(word) != std::string::npos;
    });
}

} // namespace

class SettingsFileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void saysNothingWithoutAFile();
    void readsEachKindOfValue();
    void replacesWhatTheFileSaidBefore();
    void standsBelowTheEnvironment();
    void namesEachUnknownKeyOnce();
    void doesNotFloodTheNotices();
    void refusesMalformedValuesWithOneNoticeEach();
    void ignoresSerializedObjects();
    void mentionsLinesThatAreNoSettings();
    void tightensALooseMode();
    void ignoresWhatIsNoFile();
    void writesOneKeyAndLeavesTheOthers();
    void makesThePrivateFileWithItsFolders();
    void writesTextsThatCarryCommasAndQuotes();
    void takesAKeyOut();
    void leavesADamagedFileAlone();
    void reportsAFolderThatCannotBeWritten();
    void readsTheEnvironment();
    void namesTheSettingThatAnUnknownVariableMayHaveMeant();
    void aFloodOfUnknownVariablesIsCounted();
    void givesOneNoticeForAMalformedVariable();

private:
    void put(const QByteArray &content, QFileDevice::Permissions mode = ownerOnly);
    [[nodiscard]] QByteArray content() const;
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("headway.ini")); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void SettingsFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void SettingsFileTest::put(const QByteArray &content, QFileDevice::Permissions mode)
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), content.size());
    file.close();
    QVERIFY(file.setPermissions(mode));
}

QByteArray SettingsFileTest::content() const
{
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void SettingsFileTest::saysNothingWithoutAFile()
{
    Settings settings;
    QVERIFY(SettingsFile(path()).readInto(settings).empty());
    QVERIFY(!QFileInfo::exists(path()));
}

void SettingsFileTest::readsEachKindOfValue()
{
    put("rate_per_min= 30 \nrate_pinned=true\nlog_level=debug\n"
        "allowed_hosts=a.example, b.example\nupstream=wss://api.example/v1/responses\n"
        "upstream_key=sk-1\n");
    Settings settings;
    QVERIFY(SettingsFile(path()).readInto(settings).empty());
    QCOMPARE(settings.integer(Key::RatePerMin), std::int64_t(30));
    QVERIFY(settings.flag(Key::RatePinned));
    QCOMPARE(settings.text(Key::LogLevel), std::string("debug"));
    QCOMPARE(settings.text(Key::AllowedHosts), std::string("a.example,b.example"));
    QCOMPARE(settings.text(Key::Upstream), std::string("wss://api.example/v1/responses"));
    QCOMPARE(settings.text(Key::UpstreamKey), std::string("sk-1"));
    QCOMPARE(settings.source(Key::RatePerMin), Source::File);
}

void SettingsFileTest::replacesWhatTheFileSaidBefore()
{
    put("burst=3\nretries=2\n");
    Settings settings;
    const SettingsFile file(path());
    QVERIFY(file.readInto(settings).empty());
    put("burst=44\n");
    QVERIFY(file.readInto(settings).empty());
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(44));
    QVERIFY(!settings.isSet(Key::Retries));
    QVERIFY(QFile::remove(path()));
    QVERIFY(file.readInto(settings).empty());
    QVERIFY(!settings.isSet(Key::Burst));
}

void SettingsFileTest::standsBelowTheEnvironment()
{
    put("burst=3\n");
    Settings settings;
    settings.set(Source::Environment, Key::Burst, "4");
    QVERIFY(SettingsFile(path()).readInto(settings).empty());
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(4));
}

void SettingsFileTest::namesEachUnknownKeyOnce()
{
    put("rate_per_minute=30\nburst=3\n[section]\nburst=4\n");
    Settings settings;
    const auto notices = SettingsFile(path()).readInto(settings);
    QCOMPARE(notices.size(), std::size_t(2));
    QVERIFY(mentions(notices, "rate_per_minute"));
    QVERIFY(mentions(notices, "section/burst"));
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(3));
}

void SettingsFileTest::doesNotFloodTheNotices()
{
    QByteArray text;
    for (int i = 0; i < 500; ++i)
        text += "unknown" + QByteArray::number(i) + "=1\n";
    put(text);
    Settings settings;
    const auto notices = SettingsFile(path()).readInto(settings);
    QCOMPARE(notices.size(), std::size_t(21));
    QVERIFY(mentions(notices, "480 more"));
}

void SettingsFileTest::refusesMalformedValuesWithOneNoticeEach()
{
    put("rate_per_min=fast\nburst=1000\nrate_pinned=perhaps\n");
    Settings settings;
    const auto notices = SettingsFile(path()).readInto(settings);
    QCOMPARE(notices.size(), std::size_t(3));
    QCOMPARE(settings.integer(Key::RatePerMin), std::int64_t(60));
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(100));
    QVERIFY(!settings.flag(Key::RatePinned));
}

void SettingsFileTest::ignoresSerializedObjects()
{
    put("burst=@Variant(\\0\\0\\0\\x2\\0\\0\\0\\x5)\nretries=@ByteArray(2)\nupstream=@Invalid()\n");
    Settings settings;
    const auto notices = SettingsFile(path()).readInto(settings);
    QCOMPARE(notices.size(), std::size_t(3));
    QVERIFY(!settings.isSet(Key::Burst) && !settings.isSet(Key::Retries));
    QVERIFY(!settings.isSet(Key::Upstream));
}

void SettingsFileTest::mentionsLinesThatAreNoSettings()
{
    put("this is no setting\nburst=3\n");
    Settings settings;
    const auto notices = SettingsFile(path()).readInto(settings);
    QCOMPARE(notices.size(), std::size_t(1));
    QVERIFY(notices.front().key.starts_with("settings.file.format:"));
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(3));
}

void SettingsFileTest::tightensALooseMode()
{
    put("burst=3\n", ownerOnly | QFileDevice::ReadGroup | QFileDevice::ReadOther);
    Settings settings;
    const auto notices = SettingsFile(path()).readInto(settings);
    QCOMPARE(notices.size(), std::size_t(1));
    QVERIFY(notices[0].key.starts_with("settings.file.mode:"));
    QCOMPARE(QFileInfo(path()).permissions(), ownerOnly);
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(3));
    QVERIFY(SettingsFile(path()).readInto(settings).empty());
}

void SettingsFileTest::ignoresWhatIsNoFile()
{
    Settings settings;
    QCOMPARE(SettingsFile(m_folder->path()).readInto(settings).size(), std::size_t(1));
    const QString pipe = m_folder->filePath(QStringLiteral("pipe"));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QCOMPARE(SettingsFile(pipe).readInto(settings).size(), std::size_t(1));
    QVERIFY(!SettingsFile(pipe).write(Key::Burst, "3"));
    put(QByteArray(2 << 20, '#'));
    QCOMPARE(SettingsFile(path()).readInto(settings).size(), std::size_t(1));
}

void SettingsFileTest::writesOneKeyAndLeavesTheOthers()
{
    put("burst=3\nlog_level=debug\nsomething_newer=7\n");
    const SettingsFile file(path());
    QVERIFY(file.write(Key::Burst, "5"));
    Settings settings;
    const auto notices = file.readInto(settings);
    QCOMPARE(settings.integer(Key::Burst), std::int64_t(5));
    QCOMPARE(settings.text(Key::LogLevel), std::string("debug"));
    QVERIFY(mentions(notices, "something_newer"));
    QCOMPARE(QFileInfo(path()).permissions(), ownerOnly);
    QVERIFY(content().contains("burst=5\n"));
}

void SettingsFileTest::makesThePrivateFileWithItsFolders()
{
    const QString deep = m_folder->filePath(QStringLiteral("a/b/headway.ini"));
    QVERIFY(SettingsFile(deep).write(Key::UpstreamKey, "sk-1"));
    QCOMPARE(QFileInfo(deep).permissions(), ownerOnly);
    const auto folder = QFileInfo(QFileInfo(deep).path()).permissions();
    QCOMPARE(folder, ownerOnly | QFileDevice::ExeOwner | QFileDevice::ExeUser);
    Settings settings;
    QVERIFY(SettingsFile(deep).readInto(settings).empty());
    QCOMPARE(settings.text(Key::UpstreamKey), std::string("sk-1"));
}

void SettingsFileTest::writesTextsThatCarryCommasAndQuotes()
{
    const SettingsFile file(path());
    for (const char *text : {"a,b", "a, b", "\"quoted\"", "back\\slash", "semi;colon", "@at", "é π",
                             "a=b", "%20", "#hash"})
    {
        QVERIFY2(file.write(Key::Models, text), text);
        Settings settings;
        QVERIFY2(file.readInto(settings).empty(), text);
        QCOMPARE(settings.text(Key::Models), std::string(text));
    }
}

void SettingsFileTest::takesAKeyOut()
{
    put("burst=3\nretries=2\n");
    const SettingsFile file(path());
    QVERIFY(file.remove(Key::Burst));
    Settings settings;
    QVERIFY(file.readInto(settings).empty());
    QVERIFY(!settings.isSet(Key::Burst));
    QCOMPARE(settings.integer(Key::Retries), std::int64_t(2));
}

void SettingsFileTest::leavesADamagedFileAlone()
{
    put("my notes, not a settings file\n");
    const auto written = SettingsFile(path()).write(Key::Burst, "5");
    QVERIFY(!written);
    QCOMPARE(written.error().code, headway::store::StoreError::Code::Damaged);
    QCOMPARE(content(), QByteArray("my notes, not a settings file\n"));
}

void SettingsFileTest::reportsAFolderThatCannotBeWritten()
{
    // A file stands where the folder should be: this fails for root as well.
    put("burst=3\n");
    const auto written
        = SettingsFile(path() + QStringLiteral("/headway.ini")).write(Key::Burst, "5");
    QVERIFY(!written);
    QCOMPARE(written.error().code, headway::store::StoreError::Code::CannotOpen);
}

void SettingsFileTest::readsTheEnvironment()
{
    QCOMPARE(environmentName(Key::RatePerMin), QStringLiteral("HEADWAY_RATE_PER_MIN"));
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HEADWAY_RATE_PER_MIN"), QStringLiteral(" 12 "));
    environment.insert(QStringLiteral("HEADWAY_ACCESS_KEY"), QStringLiteral("secret"));
    environment.insert(QStringLiteral("BURST"), QStringLiteral("3"));
    Settings settings;
    QVERIFY(readEnvironment(environment, settings).empty());
    QCOMPARE(settings.integer(Key::RatePerMin), std::int64_t(12));
    QCOMPARE(settings.source(Key::RatePerMin), Source::Environment);
    QCOMPARE(settings.text(Key::AccessKey), std::string("secret"));
    QVERIFY(!settings.isSet(Key::Burst));
}

void SettingsFileTest::namesTheSettingThatAnUnknownVariableMayHaveMeant()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HEADWAY_BURTS"), QStringLiteral("3"));
    environment.insert(QStringLiteral("HEADWAY_UPSTREAM_KEYS"), QStringLiteral("sk-hunter2"));
    environment.insert(QStringLiteral("HEADWAY_QQQQQQQQ"), QStringLiteral("x"));
    environment.insert(QStringLiteral("HEADWAYS"), QStringLiteral("not ours"));
    Settings settings;
    const auto notices = readEnvironment(environment, settings);
    QCOMPARE(notices.size(), std::size_t(3));
    QVERIFY(mentions(notices, "HEADWAY_BURTS"));
    QVERIFY(mentions(notices, "mean HEADWAY_BURST?"));
    QVERIFY(mentions(notices, "mean HEADWAY_UPSTREAM_KEY?"));
    QVERIFY(mentions(notices, "HEADWAY_QQQQQQQQ (environment): there is no such setting; ignored"));
    QVERIFY(!mentions(notices, "hunter2"));
    QVERIFY(!settings.isSet(Key::Burst));
}

void SettingsFileTest::aFloodOfUnknownVariablesIsCounted()
{
    QProcessEnvironment environment;
    for (int i = 0; i < 50; ++i)
        environment.insert(QStringLiteral("HEADWAY_X%1").arg(i), QStringLiteral("x"));
    Settings settings;
    const auto notices = readEnvironment(environment, settings);
    QCOMPARE(notices.size(), std::size_t(21));
    QVERIFY(mentions(notices, "30 more"));
}

void SettingsFileTest::givesOneNoticeForAMalformedVariable()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HEADWAY_RATE_PER_MIN"), QStringLiteral("disabled:3:14001"));
    environment.insert(QStringLiteral("HEADWAY_CONTROL_KEY"), QStringLiteral("hunter2 hunter2"));
    Settings settings;
    const auto notices = readEnvironment(environment, settings);
    QCOMPARE(notices.size(), std::size_t(2));
    QVERIFY(mentions(notices, "rate_per_min"));
    QVERIFY(!mentions(notices, "hunter2"));
}

QTEST_APPLESS_MAIN(SettingsFileTest)
#include "tst_settingsfile.moc"
