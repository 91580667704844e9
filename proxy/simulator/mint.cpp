// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/mint.h"

#include <QCryptographicHash>

namespace headway::simulator {

namespace {

constexpr int nonceDigits = 48;
constexpr auto envelope = "gAAAAAB";

} // namespace

Mint::Mint(std::uint64_t seed)
    : m_random(seed)
    , m_key(hex(16))
{
}

QByteArray Mint::hex(int bytes)
{
    QByteArray digits;
    while (digits.size() < bytes * 2)
        digits.append(QByteArray::number(m_random.next(), 16).rightJustified(16, '0'));
    return digits.left(bytes * 2);
}

QString Mint::id(const char *prefix)
{
    return QLatin1String(prefix) + QString::fromLatin1(hex(16));
}

QByteArray Mint::digest(const QByteArray &nonce) const
{
    const QByteArray keyed = m_key + nonce;
    return QCryptographicHash::hash(keyed, QCryptographicHash::Sha256).toHex();
}

QString Mint::encryptedContent()
{
    const QByteArray nonce = hex(nonceDigits / 2);
    const QByteArray content = envelope + nonce + digest(nonce);
    return QString::fromLatin1(content);
}

bool Mint::isOurs(const QString &encryptedContent) const
{
    const QByteArray text = encryptedContent.toLatin1();
    const auto start = static_cast<qsizetype>(qstrlen(envelope));
    const QByteArray nonce = text.mid(start, nonceDigits);
    return text.startsWith(envelope) && text.mid(start + nonceDigits) == digest(nonce);
}

QByteArray Mint::filler()
{
    QByteArray letters;
    const std::uint64_t bits = m_random.next();
    const auto length = static_cast<int>(2 + bits % 14);
    for (int i = 0; i < length; ++i)
        letters.append(static_cast<char>('a' + ((bits >> (4U * static_cast<unsigned>(i))) & 15U)));
    return letters;
}

} // namespace headway::simulator
