// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/feed.h"

#include "proxy/net/listener/limits.h"

#include <utility>

namespace headway::engine {

Feed::Feed(CarryOut carryOut, QObject *parent)
    : QObject(parent)
    , m_carryOut(std::move(carryOut))
{
}

void Feed::add(net::ClientSocket *socket)
{
    connect(socket, &net::ClientSocket::received, this,
            [this, socket](const std::string &text) { obey(*socket, text); });
    connect(socket, &net::ClientSocket::clientGone, this, [this, socket] { remove(socket); });
    m_readers.push_back({.socket = socket, .told = 0, .stalledSince = {}});
    if (m_readers.size() == 1)
        Q_EMIT readersChanged();
}

void Feed::remove(const net::ClientSocket *socket)
{
    const auto gone = [socket](const Reader &reader) {
        return reader.socket.isNull() || reader.socket.data() == socket;
    };
    if (std::erase_if(m_readers, gone) == 0 || hasReaders())
        return;
    m_history.dropRecords();
    Q_EMIT readersChanged();
}

void Feed::take(live::SnapshotPointer snapshot)
{
    m_history.add(*snapshot, hasReaders());
    m_newest = std::move(snapshot);
}

void Feed::send(base::SteadyTime now)
{
    if (!m_newest)
        return;
    Messages messages;
    std::vector<QPointer<net::ClientSocket>> stalled;
    for (Reader &reader : m_readers) {
        if (!sendTo(reader, messages, now))
            stalled.push_back(reader.socket);
    }
    for (const auto &socket : stalled) {
        if (socket)
            socket->cut(); // clientGone() does not follow
        remove(socket);
    }
}

bool Feed::sendTo(Reader &reader, Messages &messages, base::SteadyTime now)
{
    if (!reader.socket)
        return false;
    if (!reader.socket->isOpen() || reader.told == m_history.newest())
        return true;
    if (reader.socket->buffered() > net::limits::highWater) {
        reader.stalledSince = reader.stalledSince.value_or(now);
        return now - *reader.stalledSince < patience;
    }
    reader.stalledSince.reset();
    reader.socket->send(messageFor(reader.told, messages));
    reader.told = m_history.newest();
    return true;
}

const std::string &Feed::messageFor(std::uint64_t told, Messages &messages) const
{
    std::string &message = messages[told];
    if (message.empty()) {
        const bool isInStep = told != 0 && told + 1 == m_history.newest();
        message = live::writeFeed(isInStep ? *m_newest : m_history.since(*m_newest, told));
    }
    return message;
}

void Feed::obey(net::ClientSocket &socket, const std::string &text)
{
    const auto command = live::readCommand(text);
    if (!command) {
        socket.send(
            live::writeFeed(live::FeedAnswer{.understood = false, .reason = command.error()}));
        return;
    }
    if (const auto answer = m_carryOut(*command))
        socket.send(live::writeFeed(*answer));
}

} // namespace headway::engine
