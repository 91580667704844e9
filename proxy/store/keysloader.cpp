// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/keysloader.h"

#include <utility>

namespace headway::store {

namespace {

QString entryName()
{
    return QStringLiteral("install-keys");
}

} // namespace

KeysLoader::KeysLoader(QString path, std::unique_ptr<Keychain> keychain,
                       base::Milliseconds patience, QObject *parent)
    : QObject(parent)
    , m_path(std::move(path))
    , m_keychain(std::move(keychain))
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, &KeysLoader::useFile);
    if (m_keychain) {
        connect(m_keychain.get(), &Keychain::readFinished, this, &KeysLoader::onRead);
        connect(m_keychain.get(), &Keychain::writeFinished, this, &KeysLoader::onWritten);
    }
}

void KeysLoader::start()
{
    if (auto keys = readKeysFile(m_path)) {
        finish({std::move(*keys), {}});
    } else if (m_keychain) {
        m_patience.start();
        m_keychain->read(entryName());
    } else {
        useFile();
    }
}

void KeysLoader::onRead(Keychain::Outcome outcome, const QByteArray &secret)
{
    if (m_finished)
        return;
    if (outcome == Keychain::Outcome::Unavailable) {
        useFile();
        return;
    }
    if (auto keys = parseKeys(secret); keys && outcome == Keychain::Outcome::Done) {
        finish({std::move(*keys), {}});
        return;
    }
    m_fresh = makeKeys();
    m_keychain->write(entryName(), serialized(m_fresh));
}

void KeysLoader::onWritten(Keychain::Outcome outcome)
{
    if (m_finished)
        return;
    if (outcome == Keychain::Outcome::Done)
        finish({m_fresh, {}});
    else
        useFile();
}

// Also when the keychain is late: should its answer still come, the file has the last word.
void KeysLoader::useFile()
{
    if (!m_finished)
        finish(loadOrMakeKeys(m_path));
}

void KeysLoader::finish(const LoadedKeys &keys)
{
    m_finished = true;
    m_patience.stop();
    Q_EMIT loaded(keys);
}

} // namespace headway::store
