// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/store/filelock.h"
#include "proxy/store/keychain.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

namespace headway::store {

// Keeps one sign-in for all processes of this user: in the keychain when there is one, else in a
// file of mode 0600. A file that is there counts first. Whoever changes it holds the lock. One
// request at a time; each is answered by its signal, perhaps before the call returns.
class SignInStore final : public QObject
{
    Q_OBJECT

public:
    enum class Place { Nowhere, Keychain, File };
    Q_ENUM(Place)

    // `keychain` may be null: file only. One that stays silent for longer than `patience` is not
    // asked again: a person may have left its prompt standing.
    SignInStore(QString path, std::unique_ptr<Keychain> keychain,
                base::Milliseconds patience = base::Milliseconds(20'000),
                QObject *parent = nullptr);

    void load();
    void save(const QByteArray &text);
    void erase(); // from both places

    // Held by the one who reads, renews and saves; nothing while somebody else holds it.
    [[nodiscard]] std::optional<FileLock> tryLock() const;

    // Another value after each save and erase by any process, and after the file was edited by
    // hand. Two calls of stat(): cheap enough to ask before every use.
    [[nodiscard]] QByteArray stamp() const;

    [[nodiscard]] const QString &path() const { return m_path; }

Q_SIGNALS:
    void loaded(const QByteArray &text, headway::store::SignInStore::Place place);
    void saved(headway::store::SignInStore::Place place); // Nowhere: it could not be kept
    void erased(bool all); // false: something is left that could not be removed

private:
    enum class Request : std::uint8_t { None, Load, Save, Erase };

    [[nodiscard]] bool asksKeychain(Request request);
    void onRead(Keychain::Outcome outcome, const QByteArray &secret);
    void onWritten(Keychain::Outcome outcome);
    void onRemoved(Keychain::Outcome outcome);
    void onSilence();
    [[nodiscard]] bool answers(Request request);
    void saveToFile();
    [[nodiscard]] bool removeFile() const;
    void changed() const;
    [[nodiscard]] QString lockPath() const;

    QString m_path;
    std::unique_ptr<Keychain> m_keychain;
    QTimer m_patience;
    Request m_request = Request::None;
    QByteArray m_text; // to be saved
};

} // namespace headway::store
