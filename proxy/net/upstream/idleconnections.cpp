// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/idleconnections.h"

#include <algorithm>
#include <utility>

namespace headway::net {

struct IdleConnections::Entry
{
    QString authority;
    std::unique_ptr<HttpsConnection> connection;
    std::chrono::steady_clock::time_point since;
};

namespace {

QString authorityOf(const QUrl &url)
{
    return url.scheme() + QLatin1String("://") + url.authority(QUrl::FullyEncoded);
}

} // namespace

IdleConnections::IdleConnections(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &IdleConnections::expire);
}

IdleConnections::~IdleConnections()
{
    for (Entry &entry : m_entries)
        entry.connection->socket->disconnect(this);
}

std::unique_ptr<HttpsConnection> IdleConnections::take(const QUrl &url)
{
    const auto found = std::find_if(
        m_entries.rbegin(), m_entries.rend(),
        [authority = authorityOf(url)](const Entry &e) { return e.authority == authority; });
    if (found == m_entries.rend())
        return nullptr;
    auto connection = std::move(found->connection);
    m_entries.erase(std::next(found).base());
    connection->socket->disconnect(this);
    return connection;
}

void IdleConnections::keep(const QUrl &url, std::unique_ptr<HttpsConnection> connection)
{
    const QTcpSocket *const socket = connection->socket.get();
    const auto lost = [this, socket] { drop(socket, QStringLiteral("peer_closed")); };
    // Whatever is said without being asked makes the next answer another one's.
    connect(socket, &QTcpSocket::readyRead, this, lost);
    connect(socket, &QTcpSocket::disconnected, this, lost);
    connect(socket, &QTcpSocket::errorOccurred, this, lost);
    m_entries.push_back(
        {authorityOf(url), std::move(connection), std::chrono::steady_clock::now()});
    if (m_entries.size() > most)
        drop(m_entries.front().connection->socket.get(), QStringLiteral("socket_cap"));
    setTimer();
}

std::size_t IdleConnections::count(const QUrl &url) const
{
    return static_cast<std::size_t>(std::count_if(
        m_entries.begin(), m_entries.end(),
        [authority = authorityOf(url)](const Entry &e) { return e.authority == authority; }));
}

void IdleConnections::closeAll(const QString &reason)
{
    while (!m_entries.empty())
        drop(m_entries.front().connection->socket.get(), reason);
}

void IdleConnections::drop(const QTcpSocket *socket, const QString &reason)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [socket](const Entry &e) {
        return e.connection->socket.get() == socket;
    });
    if (found == m_entries.end())
        return;
    const auto connection = std::move(found->connection);
    m_entries.erase(found);
    connection->socket->disconnect(this);
    Q_EMIT dropped(*connection, reason);
    // It may be telling us this very thing.
    QTcpSocket *const gone = connection->socket.release();
    gone->abort();
    gone->deleteLater();
}

void IdleConnections::expire()
{
    const auto now = std::chrono::steady_clock::now();
    while (!m_entries.empty() && now - m_entries.front().since >= longest)
        drop(m_entries.front().connection->socket.get(), QStringLiteral("idle_ttl"));
    setTimer();
}

void IdleConnections::setTimer()
{
    if (m_entries.empty()) {
        m_timer.stop();
        return;
    }
    const auto left = longest - (std::chrono::steady_clock::now() - m_entries.front().since);
    m_timer.start(
        std::max(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds{1}));
}

} // namespace headway::net
