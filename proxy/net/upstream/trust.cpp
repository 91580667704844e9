// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/trust.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSslCertificate>

namespace headway::net {

namespace {

// Reading a bundle costs milliseconds: it is kept per thread until the file changes.
struct Bundle
{
    QString path;
    QDateTime modified;
    QList<QSslCertificate> certificates;
};

tl::expected<QList<QSslCertificate>, QString> authoritiesOf(const QString &path)
{
    static thread_local Bundle bundle;
    const QDateTime modified = QFileInfo(path).lastModified();
    if (bundle.path == path && bundle.modified == modified && !bundle.certificates.isEmpty())
        return bundle.certificates;
    bundle
        = {path, modified,
           QSslCertificate::fromPath(path, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString)};
    if (bundle.certificates.isEmpty())
        return tl::unexpected<QString>(
            QStringLiteral("SSL_CERT_FILE names %1, which holds no readable PEM certificate")
                .arg(path));
    return bundle.certificates;
}

} // namespace

tl::expected<QSslConfiguration, QString> tlsTowardsProvider(const Environment &environment)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setAllowedNextProtocols({QByteArrayLiteral("http/1.1")});
    const std::optional<std::string> file = environment("SSL_CERT_FILE");
    if (file && !file->empty()) {
        auto authorities = authoritiesOf(QString::fromStdString(*file));
        if (!authorities)
            return tl::unexpected<QString>(authorities.error());
        tls.setCaCertificates(*authorities);
    }
    return tls;
}

} // namespace headway::net
