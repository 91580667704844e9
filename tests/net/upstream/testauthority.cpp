// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/upstream/testauthority.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace headway::testing {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

Key freshKey()
{
    // What the macro EVP_EC_gen() does, without its old-style cast.
    std::string curve = "P-256";
    return {EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve.data()), EVP_PKEY_free};
}

void addExtension(X509 *certificate, X509 *issuer, int nid, const QByteArray &value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.constData());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

void setName(X509_NAME *name, const QByteArray &text)
{
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char *>(text.constData()), -1, -1,
                               0);
}

Certificate begin(EVP_PKEY *key, const QByteArray &name, long serial, long seconds)
{
    Certificate certificate{X509_new(), X509_free};
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), -3600 + seconds);
    X509_set_pubkey(certificate.get(), key);
    setName(X509_get_subject_name(certificate.get()), name);
    return certificate;
}

template <typename Write>
QByteArray pemOf(Write write)
{
    const std::unique_ptr<BIO, decltype(&BIO_free_all)> out{BIO_new(BIO_s_mem()), BIO_free_all};
    write(out.get());
    QByteArray text(65536, '\0');
    text.truncate(BIO_read(out.get(), text.data(), static_cast<int>(text.size())));
    return text;
}

QByteArray pemOf(X509 *certificate)
{
    return pemOf([certificate](BIO *out) { PEM_write_bio_X509(out, certificate); });
}

} // namespace

struct TestAuthority::State
{
    Key key = freshKey();
    Certificate certificate{nullptr, X509_free};
};

TestAuthority::TestAuthority()
    : m_state(std::make_unique<State>())
{
    m_state->certificate = begin(m_state->key.get(), "Headway test authority", 1, 7200);
    X509 *own = m_state->certificate.get();
    X509_set_issuer_name(own, X509_get_subject_name(own));
    addExtension(own, own, NID_basic_constraints, "critical,CA:TRUE");
    addExtension(own, own, NID_key_usage, "critical,keyCertSign");
    X509_sign(own, m_state->key.get(), EVP_sha256());
}

TestAuthority::~TestAuthority() = default;

QByteArray TestAuthority::pem() const
{
    return pemOf(m_state->certificate.get());
}

Identity TestAuthority::issue(const QString &host, long seconds) const
{
    const Key key = freshKey();
    const Certificate certificate = begin(key.get(), "server", 2, seconds);
    X509 *issuer = m_state->certificate.get();
    X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer));
    const QByteArray names = "DNS:" + host.toLatin1();
    addExtension(certificate.get(), issuer, NID_subject_alt_name, names);
    X509_sign(certificate.get(), m_state->key.get(), EVP_sha256());
    const QByteArray keyPem = pemOf([&key](BIO *out) {
        PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
    return {QSslCertificate(pemOf(certificate.get())), QSslKey(keyPem, QSsl::Ec)};
}

} // namespace headway::testing
