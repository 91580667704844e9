// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>

namespace headway::store {

// The desktop's store for secrets, as far as we need it. Nothing here blocks: each request is
// answered by its signal, later, on the thread of this object.
class Keychain : public QObject
{
    Q_OBJECT

public:
    enum class Outcome { Done, Missing, Unavailable };
    Q_ENUM(Outcome)

    using QObject::QObject;

    virtual void read(const QString &name) = 0;
    virtual void write(const QString &name, const QByteArray &secret) = 0;
    virtual void remove(const QString &name) = 0;

Q_SIGNALS:
    void readFinished(headway::store::Keychain::Outcome outcome, const QByteArray &secret);
    void writeFinished(headway::store::Keychain::Outcome outcome);
    void removeFinished(headway::store::Keychain::Outcome outcome); // Missing: there was nothing
};

// Through QtKeychain; null when the program was built without it. It works on a thread of its own:
// libsecret answers through GLib's loop, which our event dispatchers do not run.
[[nodiscard]] std::unique_ptr<Keychain> systemKeychain();

} // namespace headway::store
