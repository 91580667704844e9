// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxythread.h"

#include "app/recordload.h"
#include "proxy/net/eventloop/epolldispatcher.h"

#include <QMetaObject>

#include <utility>

namespace headway::app {

ProxyThread::ProxyThread(engine::EngineOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_context(new QObject)
{
    qRegisterMetaType<live::SnapshotPointer>("headway::live::SnapshotPointer");
    m_thread.setObjectName(QStringLiteral("proxy"));
    m_thread.setEventDispatcher(new net::EpollDispatcher);
    m_context->moveToThread(&m_thread);
    // Deleted on its own thread, with the engine, before that thread is over.
    connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
}

ProxyThread::~ProxyThread()
{
    m_thread.quit();
    m_thread.wait();
}

void ProxyThread::start()
{
    m_thread.start();
    QMetaObject::invokeMethod(m_context, [this] { run(); });
}

void ProxyThread::run()
{
    m_engine = new engine::Engine(std::move(m_options), m_context);
    using engine::Engine;
    connect(m_engine, &Engine::snapshotReady, this, &ProxyThread::snapshotReady);
    connect(m_engine, &Engine::settingRefused, this, &ProxyThread::settingRefused);
    connect(m_engine, &Engine::drained, this, &ProxyThread::drained);
    // Before it starts, or the window would miss the first records, which the totals count.
    m_engine->setWatched(true);
    const auto port = m_engine->start();
    if (!port) {
        m_engine->setWatched(false); // the reason stays on show
        Q_EMIT failed(QString::fromStdString(port.error()));
        return;
    }
    if (m_recordsPerSecond > 0)
        new RecordLoad(*m_engine, m_recordsPerSecond, m_engine);
    Q_EMIT started(*port);
}

void ProxyThread::ask(std::function<void(engine::Engine &)> command)
{
    QMetaObject::invokeMethod(m_context, [this, command = std::move(command)] {
        if (m_engine)
            command(*m_engine);
    });
}

void ProxyThread::changeSetting(const QString &key, const QString &value)
{
    ask([key, value](engine::Engine &engine) { engine.changeSetting(key, value); });
}

void ProxyThread::evictHead(quint64 connection, quint64 head)
{
    ask([connection, head](engine::Engine &engine) { engine.evictHead(connection, head); });
}

void ProxyThread::pinConnection(quint64 connection, bool pinned)
{
    ask([connection, pinned](engine::Engine &engine) { engine.pinConnection(connection, pinned); });
}

void ProxyThread::setPaused(bool isPaused)
{
    ask([isPaused](engine::Engine &engine) { engine.setPaused(isPaused); });
}

void ProxyThread::holdSession(const QString &session, bool isHeld)
{
    ask([session, isHeld](engine::Engine &engine) { engine.holdSession(session, isHeld); });
}

void ProxyThread::setPassThrough(bool isOn)
{
    ask([isOn](engine::Engine &engine) { engine.setPassThrough(isOn); });
}

void ProxyThread::moveToFront(quint64 turn)
{
    ask([turn](engine::Engine &engine) { engine.moveToFront(turn); });
}

void ProxyThread::cancelTurn(quint64 turn)
{
    ask([turn](engine::Engine &engine) { engine.cancelTurn(turn); });
}

void ProxyThread::drain(int graceMs)
{
    QMetaObject::invokeMethod(m_context, [this, graceMs] {
        if (m_engine)
            m_engine->drain(graceMs);
        else
            Q_EMIT drained();
    });
}

} // namespace headway::app
