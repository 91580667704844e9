// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/store/keychain.h"
#include "proxy/store/keys.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace headway::store {

// Finds the installation's keys without ever holding up the start: a keys file counts first, so
// that what clients were once given stays right; else the keychain, if it answers in time; else a
// file is made. Without a keychain everything is done before start() returns.
class KeysLoader final : public QObject
{
    Q_OBJECT

public:
    // `keychain` may be null: files only.
    KeysLoader(QString path, std::unique_ptr<Keychain> keychain,
               base::Milliseconds patience = base::Milliseconds(2'000), QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    // Exactly once after start().
    void loaded(const headway::store::LoadedKeys &keys);

private:
    void onRead(Keychain::Outcome outcome, const QByteArray &secret);
    void onWritten(Keychain::Outcome outcome);
    void useFile();
    void finish(const LoadedKeys &keys);

    QString m_path;
    std::unique_ptr<Keychain> m_keychain;
    QTimer m_patience;
    InstallKeys m_fresh;
    bool m_finished = false;
};

} // namespace headway::store
