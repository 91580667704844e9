// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/installkey.h"

#include "proxy/store/privatefile.h"

#include <QDateTime>
#include <QFile>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <utility>

namespace headway::store {

namespace {

constexpr qsizetype secretSize = 32;
constexpr std::size_t mostRemembered = 512;

QByteArray freshSecret()
{
    std::array<quint32, secretSize / sizeof(quint32)> words{};
    QRandomGenerator::system()->generate(words.begin(), words.end()); // the kernel's, not seeded
    return QByteArray(reinterpret_cast<const char *>(words.data()), secretSize);
}

QByteArray readSecret(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(secretSize + 1) : QByteArray();
}

QString setAside(const QString &path)
{
    const QString aside = path + QLatin1String(".damaged-")
        + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMddTHHmmsszzzZ"));
    return QFile::rename(path, aside) ? aside : QString();
}

} // namespace

InstallKey::InstallKey(QByteArray secret, QString notice)
    : m_secret(std::move(secret))
    , m_notice(std::move(notice))
{
}

InstallKey InstallKey::load(const QString &path)
{
    QString notice;
    if (QFile::exists(path)) {
        makePrivate(path);
        if (QByteArray secret = readSecret(path); secret.size() == secretSize)
            return InstallKey(std::move(secret));
        if (const QString aside = setAside(path); !aside.isEmpty()) {
            notice = QStringLiteral("The installation key %1 was damaged and set aside as %2; "
                                    "sessions get new tags from now on.")
                         .arg(path, aside);
        }
    }
    makePrivateFolderOf(path);
    QByteArray secret = freshSecret();
    if (createPrivateFile(path, secret))
        return InstallKey(std::move(secret), notice);
    // Another process may have made it this very moment.
    if (QByteArray theirs = readSecret(path); theirs.size() == secretSize)
        return InstallKey(std::move(theirs), notice);
    return InstallKey(std::move(secret),
                      QStringLiteral("The installation key %1 can be neither read nor made; tags "
                                     "of sessions hold for this run only.")
                          .arg(path));
}

std::string InstallKey::tag(std::string_view id)
{
    return id.empty() ? std::string() : remembered("tag", id, 12);
}

std::string InstallKey::cacheKey(std::string_view session)
{
    return "hw-" + remembered("cache-key", session, 32);
}

std::string InstallKey::userId(std::string_view user)
{
    return "hw-" + remembered("user", user, 32);
}

std::string InstallKey::remembered(std::string_view use, std::string_view id, std::size_t digits)
{
    std::string question(use);
    question += '\0';
    question += id;
    if (const auto known = m_known.find(question); known != m_known.end()) {
        m_recent.splice(m_recent.begin(), m_recent, known->second);
        return known->second->second;
    }
    m_recent.emplace_front(std::move(question), hmacHex(use, id, digits));
    m_known.emplace(m_recent.front().first, m_recent.begin());
    if (m_recent.size() > mostRemembered) {
        m_known.erase(m_recent.back().first);
        m_recent.pop_back();
    }
    return m_recent.front().second;
}

std::string InstallKey::hash(std::string_view bytes) const
{
    return hmacHex("hash", bytes, 16);
}

std::string InstallKey::hmacHex(std::string_view use, std::string_view bytes,
                                std::size_t digits) const
{
    // The use and a zero byte in front: no two uses ever see the same message.
    std::string message(use);
    message += '\0';
    message += bytes;
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    HMAC(EVP_sha256(), m_secret.constData(), static_cast<int>(m_secret.size()),
         reinterpret_cast<const unsigned char *>(message.data()), message.size(), digest.data(),
         &size);
    const QByteArray hex
        = QByteArray::fromRawData(reinterpret_cast<const char *>(digest.data()), qsizetype{size})
              .toHex();
    return hex.left(static_cast<qsizetype>(digits)).toStdString();
}

} // namespace headway::store
