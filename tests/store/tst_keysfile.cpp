// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/keys.h"
#include "proxy/store/keysloader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <memory>
#include <optional>
#include <set>

using namespace headway::store;
using std::chrono_literals::operator""ms;

namespace {

constexpr QFileDevice::Permissions ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner
    | QFileDevice::ReadUser | QFileDevice::WriteUser;

// Answers when the test says so; remembers what it was asked.
class ScriptedKeychain final : public Keychain
{
public:
    void read(const QString &) override { ++reads; }
    void write(const QString &, const QByteArray &secret) override { written = secret; }
    void remove(const QString &) override { }

    int reads = 0;
    QByteArray written;
};

} // namespace

class KeysFileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void makesKeysOfThirtyTwoBytesThatNeverRepeat();
    void makesAPrivateFileOnceAndKeepsIt();
    void tightensALooseMode();
    void neverOverwritesAFileThatHoldsSomethingElse_data();
    void neverOverwritesAFileThatHoldsSomethingElse();
    void holdsForThisRunWhereNothingCanBeWritten();
    void readsKeysOfTheUsersOwn();
    void needsNoEventLoopWithoutAKeychain();
    void letsAnExistingFileCountBeforeTheKeychain();
    void takesTheKeysOfTheKeychain();
    void putsFreshKeysIntoAnEmptyKeychain();
    void usesTheFileWhenTheKeychainFails_data();
    void usesTheFileWhenTheKeychainFails();
    void doesNotWaitForASilentKeychain();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("a/keys.ini")); }
    void put(const QByteArray &content);
    [[nodiscard]] QByteArray content() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void KeysFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void KeysFileTest::put(const QByteArray &content)
{
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("a")));
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

QByteArray KeysFileTest::content() const
{
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void KeysFileTest::makesKeysOfThirtyTwoBytesThatNeverRepeat()
{
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) {
        const InstallKeys keys = makeKeys();
        for (const std::string &key : {keys.access, keys.control}) {
            QCOMPARE(key.size(), std::size_t(43));
            const auto bytes = QByteArray::fromBase64Encoding(
                QByteArray::fromStdString(key),
                QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
            QVERIFY(bytes);
            QCOMPARE(bytes.decoded.size(), 32);
            QVERIFY(seen.insert(key).second);
        }
    }
}

void KeysFileTest::makesAPrivateFileOnceAndKeepsIt()
{
    const LoadedKeys first = loadOrMakeKeys(path());
    QCOMPARE(first.notices.size(), std::size_t(1));
    QVERIFY(first.notices[0].text.find(path().toStdString()) != std::string::npos);
    QVERIFY(first.notices[0].text.find(first.keys.access) == std::string::npos);
    QCOMPARE(QFileInfo(path()).permissions(), ownerOnly);
    const LoadedKeys second = loadOrMakeKeys(path());
    QVERIFY(second.keys == first.keys);
    QVERIFY(second.notices.empty());
    QVERIFY(first.keys.access != first.keys.control);
}

void KeysFileTest::tightensALooseMode()
{
    const LoadedKeys made = loadOrMakeKeys(path());
    QVERIFY(QFile::setPermissions(path(), ownerOnly | QFileDevice::ReadOther));
    QCOMPARE(readKeysFile(path()), std::optional(made.keys));
    QCOMPARE(QFileInfo(path()).permissions(), ownerOnly);
}

void KeysFileTest::neverOverwritesAFileThatHoldsSomethingElse_data()
{
    const QByteArray key(43, 'k');
    const QByteArray other(43, 'o');
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("words") << QByteArray("dear diary\n");
    QTest::newRow("one key") << QByteArray("access_key=" + key + "\n");
    QTest::newRow("equal keys") << QByteArray("access_key=" + key + "\ncontrol_key=" + key + "\n");
    QTest::newRow("short") << QByteArray("access_key=abc\ncontrol_key=" + key + "\n");
    QTest::newRow("long") << QByteArray("access_key=" + QByteArray(257, 'k')
                                        + "\ncontrol_key=" + key + "\n");
    QTest::newRow("odd characters")
        << QByteArray("access_key=" + other + "+/\ncontrol_key=" + key + "\n");
}

void KeysFileTest::neverOverwritesAFileThatHoldsSomethingElse()
{
    QFETCH(const QByteArray, text);
    put(text);
    const LoadedKeys loaded = loadOrMakeKeys(path());
    QCOMPARE(loaded.keys.access.size(), std::size_t(43));
    QCOMPARE(loaded.notices.size(), std::size_t(1));
    QVERIFY(loaded.notices[0].key.starts_with("keys.unsaved:"));
    QCOMPARE(content(), text);
}

void KeysFileTest::holdsForThisRunWhereNothingCanBeWritten()
{
    put("x");
    const LoadedKeys loaded = loadOrMakeKeys(path() + QStringLiteral("/keys.ini"));
    QCOMPARE(loaded.keys.access.size(), std::size_t(43));
    QVERIFY(loaded.notices[0].key.starts_with("keys.unsaved:"));
}

void KeysFileTest::readsKeysOfTheUsersOwn()
{
    const QByteArray key(32, 'k');
    const QByteArray other(256, 'o');
    put("# mine\r\n control_key = no\ncontrol_key=" + other + "\r\naccess_key= " + key + " \r\n");
    const LoadedKeys loaded = loadOrMakeKeys(path());
    QCOMPARE(loaded.keys.access, key.toStdString());
    QCOMPARE(loaded.keys.control, other.toStdString());
}

void KeysFileTest::needsNoEventLoopWithoutAKeychain()
{
    KeysLoader loader(path(), nullptr);
    QSignalSpy loaded(&loader, &KeysLoader::loaded);
    loader.start();
    QCOMPARE(loaded.count(), 1);
    QVERIFY(QFileInfo::exists(path()));
}

void KeysFileTest::letsAnExistingFileCountBeforeTheKeychain()
{
    const LoadedKeys made = loadOrMakeKeys(path());
    auto keychain = std::make_unique<ScriptedKeychain>();
    ScriptedKeychain &script = *keychain;
    KeysLoader loader(path(), std::move(keychain));
    QSignalSpy loaded(&loader, &KeysLoader::loaded);
    loader.start();
    QCOMPARE(loaded.count(), 1);
    QVERIFY(loaded.at(0).at(0).value<LoadedKeys>().keys == made.keys);
    QCOMPARE(script.reads, 0);
}

void KeysFileTest::takesTheKeysOfTheKeychain()
{
    auto keychain = std::make_unique<ScriptedKeychain>();
    ScriptedKeychain &script = *keychain;
    KeysLoader loader(path(), std::move(keychain));
    QSignalSpy loaded(&loader, &KeysLoader::loaded);
    loader.start();
    QCOMPARE(script.reads, 1);
    QCOMPARE(loaded.count(), 0);
    const InstallKeys keys = makeKeys();
    Q_EMIT script.readFinished(Keychain::Outcome::Done, serialized(keys));
    QCOMPARE(loaded.count(), 1);
    QVERIFY(loaded.at(0).at(0).value<LoadedKeys>().keys == keys);
    QVERIFY(!QFileInfo::exists(path()));
}

void KeysFileTest::putsFreshKeysIntoAnEmptyKeychain()
{
    auto keychain = std::make_unique<ScriptedKeychain>();
    ScriptedKeychain &script = *keychain;
    KeysLoader loader(path(), std::move(keychain));
    QSignalSpy loaded(&loader, &KeysLoader::loaded);
    loader.start();
    Q_EMIT script.readFinished(Keychain::Outcome::Missing, {});
    QCOMPARE(loaded.count(), 0);
    const auto stored = parseKeys(script.written);
    QVERIFY(stored);
    Q_EMIT script.writeFinished(Keychain::Outcome::Done);
    QCOMPARE(loaded.count(), 1);
    QVERIFY(loaded.at(0).at(0).value<LoadedKeys>().keys == *stored);
    QVERIFY(loaded.at(0).at(0).value<LoadedKeys>().notices.empty());
    QVERIFY(!QFileInfo::exists(path()));
}

void KeysFileTest::usesTheFileWhenTheKeychainFails_data()
{
    QTest::addColumn<bool>("atWriting");
    QTest::newRow("reading") << false;
    QTest::newRow("writing") << true;
}

void KeysFileTest::usesTheFileWhenTheKeychainFails()
{
    QFETCH(const bool, atWriting);
    auto keychain = std::make_unique<ScriptedKeychain>();
    ScriptedKeychain &script = *keychain;
    KeysLoader loader(path(), std::move(keychain));
    QSignalSpy loaded(&loader, &KeysLoader::loaded);
    loader.start();
    if (atWriting) {
        Q_EMIT script.readFinished(Keychain::Outcome::Missing, {});
        Q_EMIT script.writeFinished(Keychain::Outcome::Unavailable);
    } else {
        Q_EMIT script.readFinished(Keychain::Outcome::Unavailable, {});
    }
    QCOMPARE(loaded.count(), 1);
    const auto keys = loaded.at(0).at(0).value<LoadedKeys>();
    QCOMPARE(keys.notices.size(), std::size_t(1));
    QCOMPARE(readKeysFile(path()), std::optional(keys.keys));
}

void KeysFileTest::doesNotWaitForASilentKeychain()
{
    auto keychain = std::make_unique<ScriptedKeychain>();
    ScriptedKeychain &script = *keychain;
    KeysLoader loader(path(), std::move(keychain), 5ms);
    QSignalSpy loaded(&loader, &KeysLoader::loaded);
    loader.start();
    QTRY_COMPARE(loaded.count(), 1);
    QVERIFY(readKeysFile(path()));
    // A late answer changes nothing any more.
    Q_EMIT script.readFinished(Keychain::Outcome::Done, serialized(makeKeys()));
    Q_EMIT script.writeFinished(Keychain::Outcome::Done);
    QCOMPARE(loaded.count(), 1);
}

QTEST_GUILESS_MAIN(KeysFileTest)
#include "tst_keysfile.moc"
