// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/signinstore.h"

#include "proxy/store/privatefile.h"

#include <QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

namespace headway::store {

namespace {

constexpr qint64 largestFile = 256 << 10;

QString entryName()
{
    return QStringLiteral("chatgpt-plan");
}

QByteArray stateOf(const QString &path)
{
    struct stat state = {};
    if (::stat(QFile::encodeName(path).constData(), &state) != 0)
        return QByteArrayLiteral("-");
    const QByteArray text = QByteArray::number(quint64{state.st_ino}) + '/'
        + QByteArray::number(qint64{state.st_size}) + '/'
        + QByteArray::number(qint64{state.st_mtim.tv_sec}) + '.'
        + QByteArray::number(qint64{state.st_mtim.tv_nsec});
    return text;
}

} // namespace

SignInStore::SignInStore(QString path, std::unique_ptr<Keychain> keychain,
                         base::Milliseconds patience, QObject *parent)
    : QObject(parent)
    , m_path(std::move(path))
    , m_keychain(std::move(keychain))
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, &SignInStore::onSilence);
    if (m_keychain) {
        connect(m_keychain.get(), &Keychain::readFinished, this, &SignInStore::onRead);
        connect(m_keychain.get(), &Keychain::writeFinished, this, &SignInStore::onWritten);
        connect(m_keychain.get(), &Keychain::removeFinished, this, &SignInStore::onRemoved);
    }
}

bool SignInStore::asksKeychain(Request request)
{
    m_request = request;
    if (!m_keychain)
        return false;
    m_patience.start();
    return true;
}

// Whether this is the answer that is waited for.
bool SignInStore::answers(Request request)
{
    if (m_request != request)
        return false;
    m_patience.stop();
    return true;
}

void SignInStore::load()
{
    if (const auto text = readPrivateFile(m_path, largestFile); text && !text->isEmpty()) {
        Q_EMIT loaded(*text, Place::File);
        return;
    }
    if (asksKeychain(Request::Load))
        m_keychain->read(entryName());
    else
        onRead(Keychain::Outcome::Unavailable, {});
}

void SignInStore::onRead(Keychain::Outcome outcome, const QByteArray &secret)
{
    if (!answers(Request::Load))
        return;
    m_request = Request::None;
    const bool found = outcome == Keychain::Outcome::Done && !secret.isEmpty();
    Q_EMIT loaded(found ? secret : QByteArray(), found ? Place::Keychain : Place::Nowhere);
}

void SignInStore::save(const QByteArray &text)
{
    m_text = text;
    if (asksKeychain(Request::Save))
        m_keychain->write(entryName(), text);
    else
        onWritten(Keychain::Outcome::Unavailable);
}

void SignInStore::onWritten(Keychain::Outcome outcome)
{
    if (!answers(Request::Save))
        return;
    if (outcome != Keychain::Outcome::Done || !removeFile()) {
        saveToFile();
        return;
    }
    m_request = Request::None;
    m_text.clear();
    changed();
    Q_EMIT saved(Place::Keychain);
}

void SignInStore::saveToFile()
{
    m_request = Request::None;
    const bool kept = makePrivateFolderOf(m_path)
        && replacePrivateFile(m_path, std::exchange(m_text, QByteArray()));
    changed();
    Q_EMIT saved(kept ? Place::File : Place::Nowhere);
}

void SignInStore::erase()
{
    if (asksKeychain(Request::Erase))
        m_keychain->remove(entryName());
    else
        onRemoved(Keychain::Outcome::Missing);
}

void SignInStore::onRemoved(Keychain::Outcome outcome)
{
    if (!answers(Request::Erase))
        return;
    m_request = Request::None;
    const bool wasInFile = QFile::exists(m_path); // then the keychain has nothing
    const bool gone = removeFile();
    changed();
    Q_EMIT erased(gone && (wasInFile || outcome != Keychain::Outcome::Unavailable));
}

void SignInStore::onSilence()
{
    // Whatever it still says belongs to nothing. It may be the sender of a signal on the stack.
    m_keychain->disconnect(this);
    m_keychain.release()->deleteLater();
    switch (m_request) {
    case Request::Load:
        onRead(Keychain::Outcome::Unavailable, {});
        break;
    case Request::Save:
        onWritten(Keychain::Outcome::Unavailable);
        break;
    case Request::Erase:
        onRemoved(Keychain::Outcome::Unavailable);
        break;
    case Request::None:
        break;
    }
}

bool SignInStore::removeFile() const
{
    return !QFile::exists(m_path) || QFile::remove(m_path);
}

std::optional<FileLock> SignInStore::tryLock() const
{
    makePrivateFolderOf(m_path);
    return FileLock::tryLock(lockPath());
}

// The lock's file has no content; its time says when the sign-in last changed.
void SignInStore::changed() const
{
    (void)::utimensat(AT_FDCWD, QFile::encodeName(lockPath()).constData(), nullptr, 0);
}

QByteArray SignInStore::stamp() const
{
    const QByteArray stamp = stateOf(m_path) + ' ' + stateOf(lockPath());
    return stamp;
}

QString SignInStore::lockPath() const
{
    return m_path + QLatin1String(".lock");
}

} // namespace headway::store
