// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"

#include <QByteArray>
#include <QString>

#include <cstdint>

namespace headway::simulator {

// Makes ids and encrypted reasoning, and knows its own again without remembering it: the content is
// a nonce and a keyed digest. Not cryptography, only enough to tell a foreign or damaged blob.
class Mint final
{
public:
    explicit Mint(std::uint64_t seed);

    // `prefix` + 32 hex digits: "resp_…", "msg_…", "rs_…", "fc_…", "call_…".
    [[nodiscard]] QString id(const char *prefix);
    [[nodiscard]] QString encryptedContent();
    [[nodiscard]] bool isOurs(const QString &encryptedContent) const;
    // Letters that hide the size of a delta (`obfuscation`).
    [[nodiscard]] QByteArray filler();

private:
    [[nodiscard]] QByteArray hex(int bytes);
    [[nodiscard]] QByteArray digest(const QByteArray &nonce) const;

    base::Random m_random;
    QByteArray m_key;
};

} // namespace headway::simulator
