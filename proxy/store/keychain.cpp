// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/keychain.h"

#ifdef HEADWAY_HAVE_KEYCHAIN
#include <QThread>
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

    void remove(const QString &name) override
    {
        auto *job = new QKeychain::DeletePasswordJob(service(), this);
        job->setKey(name);
        connect(job, &QKeychain::Job::finished, this,
                [this, job] { Q_EMIT removeFinished(outcomeOf(job->error())); });
        job->start();
    }

private:
    static QString service() { return QStringLiteral("headway"); }
};

// QtKeychain queues all jobs of a process on the thread that made the first one, so that thread
// stays for good: it is not ended, and its object is not destroyed, at exit either.
QThread &keychainThread()
{
    static QThread *const thread = [] {
        auto *made = new QThread;
        made->setObjectName(QStringLiteral("keychain"));
        made->start();
        return made;
    }();
    return *thread;
}

class DistantKeychain final : public Keychain
{
public:
    DistantKeychain()
        : m_near(new SystemKeychain)
    {
        m_near->moveToThread(&keychainThread());
        connect(m_near, &Keychain::readFinished, this, &Keychain::readFinished);
        connect(m_near, &Keychain::writeFinished, this, &Keychain::writeFinished);
        connect(m_near, &Keychain::removeFinished, this, &Keychain::removeFinished);
    }
    ~DistantKeychain() override { m_near->deleteLater(); }

    void read(const QString &name) override
    {
        QMetaObject::invokeMethod(m_near, [near = m_near, name] { near->read(name); });
    }
    void write(const QString &name, const QByteArray &secret) override
    {
        QMetaObject::invokeMethod(m_near,
                                  [near = m_near, name, secret] { near->write(name, secret); });
    }
    void remove(const QString &name) override
    {
        QMetaObject::invokeMethod(m_near, [near = m_near, name] { near->remove(name); });
    }

private:
    SystemKeychain *m_near; // lives on keychainThread()
};

} // namespace

std::unique_ptr<Keychain> systemKeychain()
{
    return std::make_unique<DistantKeychain>();
}

#else

std::unique_ptr<Keychain> systemKeychain()
{
    return nullptr;
}

#endif

} // namespace headway::store
