// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/dialerror.h"

namespace headway::net {

namespace {

QString address(const QString &host, quint16 port)
{
    return host.contains(u':') ? QStringLiteral("[%1]:%2").arg(host).arg(port)
                               : QStringLiteral("%1:%2").arg(host).arg(port);
}

QString joined(const QList<QSslError> &errors)
{
    QStringList texts;
    for (const QSslError &error : errors)
        texts += error.errorString();
    texts.removeDuplicates();
    return texts.join(QStringLiteral("; "));
}

// A certificate that cannot be accepted, as opposed to a handshake that went wrong.
bool isAboutCertificate(const QList<QSslError> &errors)
{
    return !errors.isEmpty();
}

QString aboutProxy(const DialFailure &failure, const QString &what)
{
    return QStringLiteral("outbound proxy %1 (from %2) %3; %4 was not tried directly")
        .arg(address(failure.proxy.host, failure.proxy.port), failure.proxy.variable, what,
             address(failure.host, failure.port));
}

QString throughProxy(const DialFailure &failure)
{
    switch (failure.error) {
    case QAbstractSocket::ProxyNotFoundError:
        return aboutProxy(failure, QStringLiteral("could not be resolved"));
    case QAbstractSocket::ProxyConnectionRefusedError:
        return aboutProxy(failure, QStringLiteral("refused the connection"));
    case QAbstractSocket::ProxyConnectionTimeoutError:
        return aboutProxy(failure, QStringLiteral("did not answer in time"));
    case QAbstractSocket::ProxyConnectionClosedError:
        return aboutProxy(failure, QStringLiteral("closed the connection"));
    case QAbstractSocket::ProxyAuthenticationRequiredError:
        return aboutProxy(failure, QStringLiteral("wants a user and a password that it accepts"));
    default:
        return aboutProxy(failure,
                          QStringLiteral("did not open the tunnel (%1)").arg(failure.errorText));
    }
}

} // namespace

QString sentence(const DialFailure &failure)
{
    const QString target = address(failure.host, failure.port);
    if (isAboutCertificate(failure.tlsErrors))
        return QStringLiteral("TLS certificate of %1 is not trusted: %2")
            .arg(failure.host, joined(failure.tlsErrors));
    if (failure.error == QAbstractSocket::SslHandshakeFailedError || failure.securing)
        return QStringLiteral("TLS handshake with %1 failed: %2").arg(target, failure.errorText);
    if (failure.proxy.kind != OutboundProxy::Kind::Direct)
        return throughProxy(failure);
    switch (failure.error) {
    case QAbstractSocket::HostNotFoundError:
        return QStringLiteral("could not resolve host %1").arg(failure.host);
    case QAbstractSocket::ConnectionRefusedError:
        return QStringLiteral("%1 refused the connection; nothing listens there").arg(target);
    case QAbstractSocket::NetworkError:
        return QStringLiteral("%1 cannot be reached: %2").arg(target, failure.errorText);
    case QAbstractSocket::SocketResourceError:
        return QStringLiteral("no socket is left for %1: %2").arg(target, failure.errorText);
    default:
        return QStringLiteral("could not connect to %1: %2").arg(target, failure.errorText);
    }
}

} // namespace headway::net
