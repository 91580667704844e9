// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSslCertificate>
#include <QSslKey>
#include <QString>

#include <memory>

namespace headway::testing {

struct Identity
{
    QSslCertificate certificate;
    QSslKey key;
};

// A certificate authority that lives for one test: no key is ever in the tree.
class TestAuthority final
{
public:
    TestAuthority();
    ~TestAuthority();

    [[nodiscard]] QByteArray pem() const;
    // A server's certificate for one name, valid from an hour ago for `seconds`.
    [[nodiscard]] Identity issue(const QString &host, long seconds = 3600 * 2) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::testing
