// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/keychain.h"

#ifdef HEADWAY_HAVE_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace headway::store {

#ifdef HEADWAY_HAVE_KEYCHAIN

namespace {

Keychain::Outcome outcomeOf(QKeychain::Error error)
{
    if (error == QKeychain::NoError)
        return Keychain::Outcome::Done;
    return error == QKeychain::EntryNotFound ? Keychain::Outcome::Missing
                                             : Keychain::Outcome::Unavailable;
}

// A job deletes itself after its signal; as a child it ends with us when we go first.
class SystemKeychain final : public Keychain
{
public:
    void read(const QString &name) override
    {
        auto *job = new QKeychain::ReadPasswordJob(service(), this);
        job->setKey(name);
        connect(job, &QKeychain::Job::finished, this,
                [this, job] { Q_EMIT readFinished(outcomeOf(job->error()), job->binaryData()); });
        job->start();
    }

    void write(const QString &name, const QByteArray &secret) override
    {
        auto *job = new QKeychain::WritePasswordJob(service(), this);
        job->setKey(name);
        job->setBinaryData(secret);
        connect(job, &QKeychain::Job::finished, this,
                [this, job] { Q_EMIT writeFinished(outcomeOf(job->error())); });
        job->start();
    }

private:
    static QString service() { return QStringLiteral("headway"); }
};

} // namespace

std::unique_ptr<Keychain> systemKeychain()
{
    return std::make_unique<SystemKeychain>();
}

#else

std::unique_ptr<Keychain> systemKeychain()
{
    return nullptr;
}

#endif

} // namespace headway::store
