// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/engine/engine.h"

#include <QObject>
#include <QThread>

#include <functional>

namespace headway::app {

// The proxy on a worker thread with its own event loop. Everything crosses by queued call.
class ProxyThread final : public QObject
{
    Q_OBJECT

public:
    explicit ProxyThread(engine::EngineOptions options, QObject *parent = nullptr);
    ~ProxyThread() override; // ends the proxy and joins

    // Before start(): tops the ledger up to so many records a second (--load).
    void setRecordLoad(int perSecond) { m_recordsPerSecond = perSecond; }
    void start();

public Q_SLOTS:
    void changeSetting(const QString &key, const QString &value);
    void evictHead(quint64 connection, quint64 head); // as Engine has it
    void pinConnection(quint64 connection, bool pinned);
    void setPaused(bool isPaused);
    void holdSession(const QString &session, bool isHeld);
    void setPassThrough(bool isOn);
    void moveToFront(quint64 turn);
    void cancelTurn(quint64 turn);
    void drain(int graceMs);

Q_SIGNALS:
    void started(quint16 port);
    void failed(const QString &reason);
    void snapshotReady(const headway::live::SnapshotPointer &snapshot);
    void settingRefused(const QString &key, const QString &reason);
    void drained();

private:
    void run();
    void ask(std::function<void(engine::Engine &)> command); // on its thread, if it runs

    engine::EngineOptions m_options;
    int m_recordsPerSecond = 0; // none
    QThread m_thread;
    QObject *m_context; // lives on the thread; owns the engine
    engine::Engine *m_engine = nullptr; // touched on the thread only
};

} // namespace headway::app
