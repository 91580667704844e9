// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/installkey.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMessageAuthenticationCode>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using headway::store::InstallKey;

class InstallKeyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }
    void isMadeAtFirstStartForTheOwnerAlone();
    void staysTheSameFromRunToRun();
    void differsFromInstallationToInstallation();
    void givesTheHmacOfTheIdAsTag();
    void keepsItsUsesApart();
    void remembersTagsBeyondItsMemoryRightly();
    void hasNoTagForNoId();
    void setsADamagedFileAside();
    void narrowsTheModeOfAnExistingKey();
    void servesThisRunWhereNothingCanBeWritten();

private:
    QString path() const { return m_folder->filePath(QStringLiteral("state/install.key")); }
    std::optional<QTemporaryDir> m_folder;
};

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &content)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write the fixture");
}

constexpr auto ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadUser
    | QFileDevice::WriteUser;

} // namespace

void InstallKeyTest::isMadeAtFirstStartForTheOwnerAlone()
{
    const InstallKey key = InstallKey::load(path());
    QVERIFY(key.notice().isEmpty());
    QCOMPARE(contentOf(path()).size(), 32);
    QCOMPARE(QFileInfo(path()).permissions(), QFileDevice::Permissions(ownerOnly));
    QCOMPARE(QDir(QFileInfo(path()).path()).entryList(QDir::Files),
             QStringList{QStringLiteral("install.key")});
}

void InstallKeyTest::staysTheSameFromRunToRun()
{
    const std::string first = InstallKey::load(path()).tag("session");
    QCOMPARE(InstallKey::load(path()).tag("session"), first);
}

void InstallKeyTest::differsFromInstallationToInstallation()
{
    const std::string first = InstallKey::load(path()).tag("session");
    QVERIFY(InstallKey::load(m_folder->filePath(QStringLiteral("other.key"))).tag("session")
            != first);
}

void InstallKeyTest::givesTheHmacOfTheIdAsTag()
{
    const QByteArray secret("0123456789abcdef0123456789abcdef");
    put(path(), secret);
    const auto expected = [&secret](const QByteArray &message) {
        return QMessageAuthenticationCode::hash(message, secret, QCryptographicHash::Sha256)
            .toHex();
    };
    InstallKey key = InstallKey::load(path());
    QCOMPARE(QByteArray::fromStdString(key.tag("s1")), expected(QByteArray("tag\0s1", 6)).left(12));
    QCOMPARE(QByteArray::fromStdString(key.cacheKey("s1")),
             "hw-" + expected(QByteArray("cache-key\0s1", 12)).left(32));
    QCOMPARE(QByteArray::fromStdString(key.userId("s1")),
             "hw-" + expected(QByteArray("user\0s1", 7)).left(32));
    QCOMPARE(QByteArray::fromStdString(key.hash("s1")),
             expected(QByteArray("hash\0s1", 7)).left(16));
}

void InstallKeyTest::keepsItsUsesApart()
{
    InstallKey key = InstallKey::load(path());
    QVERIFY(key.hash("x").substr(0, 12) != key.tag("x"));
    QVERIFY(key.cacheKey("x").substr(3, 12) != key.tag("x"));
}

void InstallKeyTest::remembersTagsBeyondItsMemoryRightly()
{
    InstallKey key = InstallKey::load(path());
    InstallKey fresh = InstallKey::load(path());
    std::vector<std::string> tags;
    for (int i = 0; i < 2'000; ++i)
        tags.push_back(key.tag("session " + std::to_string(i)));
    InstallKey moved = std::move(key);
    for (int i = 1'999; i >= 0; --i)
        QCOMPARE(moved.tag("session " + std::to_string(i)), tags[static_cast<std::size_t>(i)]);
    QCOMPARE(fresh.tag("session 1999"), tags.back());
}

void InstallKeyTest::hasNoTagForNoId()
{
    QCOMPARE(InstallKey::load(path()).tag(""), std::string());
}

void InstallKeyTest::setsADamagedFileAside()
{
    put(path(), "too short");
    const InstallKey key = InstallKey::load(path());
    QVERIFY(key.notice().contains(QStringLiteral("set aside")));
    QCOMPARE(contentOf(path()).size(), 32);
    const QDir folder(QFileInfo(path()).path());
    const QStringList aside = folder.entryList({QStringLiteral("install.key.damaged-*")});
    QCOMPARE(aside.size(), 1);
    QCOMPARE(contentOf(folder.filePath(aside.at(0))), QByteArray("too short"));
}

void InstallKeyTest::narrowsTheModeOfAnExistingKey()
{
    put(path(), QByteArray(32, 'k'));
    QFile::setPermissions(path(), ownerOnly | QFileDevice::ReadOther | QFileDevice::ReadGroup);
    (void)InstallKey::load(path());
    QCOMPARE(QFileInfo(path()).permissions(), QFileDevice::Permissions(ownerOnly));
}

void InstallKeyTest::servesThisRunWhereNothingCanBeWritten()
{
    put(m_folder->filePath(QStringLiteral("state")), "a file where the folder should be");
    InstallKey key = InstallKey::load(path());
    QVERIFY(key.notice().contains(QStringLiteral("this run only")));
    QCOMPARE(key.tag("s").size(), std::size_t{12});
    QCOMPARE(key.tag("s"), key.tag("s"));
    QVERIFY(InstallKey::load(path()).tag("s") != key.tag("s"));
}

QTEST_APPLESS_MAIN(InstallKeyTest)
#include "tst_installkey.moc"
