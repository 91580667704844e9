// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/credentials/devicecode.h"
#include "proxy/engine/plancredential.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace headway::engine {

// Signs in to the ChatGPT plan by device code, or out. Proxies that run find the change by
// themselves. One of finished() and failed() ends it, once.
class PlanLogin final : public QObject
{
    Q_OBJECT

public:
    explicit PlanLogin(PlanOptions options, QObject *parent = nullptr);

    void signIn();
    void signOut(); // forgets our own sign-in; Codex's is not touched

Q_SIGNALS:
    // A person has to open the page and enter the code there.
    void codeReady(const QString &url, const QString &code, int minutes);
    void finished(headway::store::SignInStore::Place place); // where it is kept
    void failed(const QString &text);

private:
    void post(const char *target, const char *contentType, const std::string &body,
              std::function<void(const net::UpgradeReply *)> then);
    void onCode(const net::UpgradeReply *reply);
    void poll();
    void follow(const credentials::DeviceSignIn::Step &step);
    void onTokens(const net::UpgradeReply *reply);
    void withLock(std::function<void()> then);

    PlanOptions m_options;
    store::SignInStore m_store;
    std::optional<credentials::DeviceSignIn> m_signIn;
    std::optional<store::FileLock> m_lock;
    std::unique_ptr<net::ShortCall> m_call;
    QString m_reason; // why the last call had no answer
    QTimer m_timer;
    int m_lockTries = 0;
};

} // namespace headway::engine
