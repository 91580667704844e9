// SPDX-License-Identifier: GPL-3.0-or-later
// spec/safety.md, "What may go out": the keychain when there is one, else 0600.
#include "proxy/store/privatefile.h"
#include "proxy/store/signinstore.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <memory>

using namespace headway::store;
using std::chrono_literals::operator""ms;

namespace {

constexpr QFileDevice::Permissions ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner
    | QFileDevice::ReadUser | QFileDevice::WriteUser;

// One entry, answering at once unless told to be silent.
class EntryKeychain final : public Keychain
{
public:
    void read(const QString &name) override
    {
        names << name;
        if (!silent)
            Q_EMIT readFinished(secret.isEmpty() ? missing() : outcome, secret);
    }
    void write(const QString &name, const QByteArray &text) override
    {
        names << name;
        if (silent)
            return;
        if (outcome == Outcome::Done)
            secret = text;
        Q_EMIT writeFinished(outcome);
    }
    void remove(const QString &name) override
    {
        names << name;
        const Outcome answer = secret.isEmpty() ? missing() : outcome;
        secret.clear();
        Q_EMIT removeFinished(answer);
    }

    Outcome outcome = Outcome::Done;
    bool silent = false;
    QByteArray secret;
    QStringList names;

private:
    Outcome missing() const { return outcome == Outcome::Done ? Outcome::Missing : outcome; }
};

} // namespace

class SignInStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void keepsItInAPrivateFileWithoutAKeychain();
    void keepsItInTheKeychainAndInNoFile();
    void fallsBackToTheFileWhenTheKeychainFails();
    void doesNotWaitForASilentKeychain();
    void letsAFileCountBeforeTheKeychain();
    void forgetsBothOnErase();
    void saysWhenTheKeychainMayStillHoldIt();
    void saysWhenNothingCouldBeKept();
    void showsEveryChangeToTheOthers();
    void letsOneHoldTheLock();
    void replacesAFileWholeOrNotAtAll();

private:
    [[nodiscard]] QString path() const
    {
        return m_folder->filePath(QStringLiteral("a/chatgpt.json"));
    }
    [[nodiscard]] std::unique_ptr<SignInStore> store(EntryKeychain *keychain = nullptr) const
    {
        return std::make_unique<SignInStore>(path(), std::unique_ptr<Keychain>(keychain), 20ms);
    }
    static QByteArray load(SignInStore &store);
    static SignInStore::Place save(SignInStore &store, const QByteArray &text);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void SignInStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

QByteArray SignInStoreTest::load(SignInStore &store)
{
    QSignalSpy loaded(&store, &SignInStore::loaded);
    store.load();
    return (loaded.isEmpty() && !loaded.wait()) ? QByteArray("no answer")
                                                : loaded.at(0).at(0).toByteArray();
}

SignInStore::Place SignInStoreTest::save(SignInStore &store, const QByteArray &text)
{
    QSignalSpy saved(&store, &SignInStore::saved);
    store.save(text);
    if (saved.isEmpty())
        saved.wait();
    return saved.value(0).value(0).value<SignInStore::Place>();
}

void SignInStoreTest::keepsItInAPrivateFileWithoutAKeychain()
{
    const auto first = store();
    QCOMPARE(load(*first), QByteArray());
    QCOMPARE(save(*first, "tokens-1"), SignInStore::Place::File);
    QCOMPARE(QFile::permissions(path()), ownerOnly);
    QCOMPARE(load(*store()), QByteArray("tokens-1"));
    QCOMPARE(save(*first, "tokens-2"), SignInStore::Place::File);
    QCOMPARE(load(*store()), QByteArray("tokens-2"));
    QCOMPARE(QFile::permissions(path()), ownerOnly);
}

void SignInStoreTest::keepsItInTheKeychainAndInNoFile()
{
    auto *const keychain = new EntryKeychain;
    const auto kept = store(keychain);
    QCOMPARE(save(*kept, "tokens-1"), SignInStore::Place::Keychain);
    QCOMPARE(keychain->secret, QByteArray("tokens-1"));
    QVERIFY(!QFile::exists(path()));
    QCOMPARE(load(*kept), QByteArray("tokens-1"));
    QCOMPARE(QSet<QString>(keychain->names.begin(), keychain->names.end()).size(), 1);
}

void SignInStoreTest::fallsBackToTheFileWhenTheKeychainFails()
{
    auto *const keychain = new EntryKeychain;
    keychain->outcome = Keychain::Outcome::Unavailable;
    const auto kept = store(keychain);
    QCOMPARE(load(*kept), QByteArray());
    QCOMPARE(save(*kept, "tokens-1"), SignInStore::Place::File);
    QCOMPARE(QFile::permissions(path()), ownerOnly);
    QCOMPARE(load(*kept), QByteArray("tokens-1"));
}

void SignInStoreTest::doesNotWaitForASilentKeychain()
{
    auto *const keychain = new EntryKeychain;
    keychain->silent = true;
    const auto kept = store(keychain);
    QCOMPARE(load(*kept), QByteArray());
    QCOMPARE(save(*kept, "tokens-1"), SignInStore::Place::File); // not asked again
    QCOMPARE(load(*kept), QByteArray("tokens-1"));
}

void SignInStoreTest::letsAFileCountBeforeTheKeychain()
{
    QCOMPARE(save(*store(), "of the file"), SignInStore::Place::File);
    auto *const keychain = new EntryKeychain;
    keychain->secret = "of the keychain";
    const auto kept = store(keychain);
    QCOMPARE(load(*kept), QByteArray("of the file"));
    // What is saved next is in one place only.
    QCOMPARE(save(*kept, "next"), SignInStore::Place::Keychain);
    QVERIFY(!QFile::exists(path()));
    QCOMPARE(load(*kept), QByteArray("next"));
}

void SignInStoreTest::forgetsBothOnErase()
{
    QCOMPARE(save(*store(), "of the file"), SignInStore::Place::File);
    auto *const keychain = new EntryKeychain;
    keychain->secret = "of the keychain";
    const auto kept = store(keychain);
    QSignalSpy erased(kept.get(), &SignInStore::erased);
    kept->erase();
    QCOMPARE(erased.size(), 1);
    QCOMPARE(erased.at(0).at(0).toBool(), true);
    QVERIFY(keychain->secret.isEmpty());
    QVERIFY(!QFile::exists(path()));
    QCOMPARE(load(*kept), QByteArray());
}

void SignInStoreTest::saysWhenTheKeychainMayStillHoldIt()
{
    auto *const keychain = new EntryKeychain;
    keychain->outcome = Keychain::Outcome::Unavailable; // locked
    const auto kept = store(keychain);
    QSignalSpy erased(kept.get(), &SignInStore::erased);
    kept->erase();
    QCOMPARE(erased.size(), 1);
    QCOMPARE(erased.at(0).at(0).toBool(), false);
}

void SignInStoreTest::saysWhenNothingCouldBeKept()
{
    QFile inTheWay(m_folder->filePath(QStringLiteral("a")));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const auto kept = store();
    QCOMPARE(save(*kept, "tokens-1"), SignInStore::Place::Nowhere);
    QVERIFY(!kept->tryLock().has_value());
}

void SignInStoreTest::showsEveryChangeToTheOthers()
{
    auto *const keychain = new EntryKeychain;
    const auto one = store(keychain);
    const auto other = store();
    QVERIFY(one->tryLock().has_value());
    const QByteArray before = other->stamp();
    QCOMPARE(other->stamp(), before);
    QCOMPARE(save(*one, "in the keychain"), SignInStore::Place::Keychain);
    const QByteArray saved = other->stamp();
    QVERIFY(saved != before);
    QVERIFY(one->tryLock().has_value()); // looking changes nothing
    QCOMPARE(other->stamp(), saved);
    QCOMPARE(save(*other, "in the file"), SignInStore::Place::File);
    QVERIFY(one->stamp() != saved);
    const QByteArray kept = one->stamp();
    one->erase();
    QVERIFY(other->stamp() != kept);
}

void SignInStoreTest::letsOneHoldTheLock()
{
    const auto one = store();
    const auto other = store();
    auto lock = one->tryLock();
    QVERIFY(lock.has_value());
    QVERIFY(!other->tryLock().has_value());
    lock.reset();
    QVERIFY(other->tryLock().has_value());
}

void SignInStoreTest::replacesAFileWholeOrNotAtAll()
{
    const QString file = m_folder->filePath(QStringLiteral("plain"));
    QVERIFY(replacePrivateFile(file, "one"));
    QVERIFY(replacePrivateFile(file, "two"));
    QCOMPARE(readPrivateFile(file, 3), QByteArray("two"));
    QVERIFY(!readPrivateFile(file, 2).has_value());
    QCOMPARE(QFile::permissions(file), ownerOnly);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    QVERIFY(!replacePrivateFile(m_folder->filePath(QStringLiteral("none/plain")), "three"));
    QVERIFY(!readPrivateFile(m_folder->path(), 100).has_value()); // a folder
    QFile::setPermissions(file, QFileDevice::ReadOwner | QFileDevice::ReadOther);
    QVERIFY(readPrivateFile(file, 100).has_value());
    QCOMPARE(QFile::permissions(file), ownerOnly);
}

QTEST_GUILESS_MAIN(SignInStoreTest)
#include "tst_signinstore.moc"
