// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QtEndian>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace headway::net {

// One HTTP reply, taken apart without the code under test.
struct Reply
{
    int status = 0;
    QByteArray head; // status line and headers, lower case
    QByteArray body;
    bool complete = false;

    [[nodiscard]] QByteArray header(const QByteArray &name) const
    {
        for (const QByteArray &line : head.split('\n')) {
            if (line.startsWith(QByteArray(name + ": ")))
                return line.mid(name.size() + 2).trimmed();
        }
        return {};
    }
};

// Takes one reply off the front of `bytes`; incomplete when not all of it is there.
inline Reply takeReply(QByteArray &bytes, bool hasBody = true)
{
    Reply reply;
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (end < 0)
        return reply;
    reply.head = bytes.left(end).toLower();
    reply.status = reply.head.mid(9, 3).toInt();
    const QByteArray rest = bytes.mid(end + 4);
    qsizetype used = 0;
    const bool bodiless = !hasBody || reply.status < 200 || reply.status == 204;
    if (!bodiless && reply.header("transfer-encoding") == "chunked") {
        for (;;) {
            const qsizetype line = rest.indexOf("\r\n", used);
            if (line < 0)
                return reply;
            const qsizetype size = rest.mid(used, line - used).toLongLong(nullptr, 16);
            if (rest.size() < line + 2 + size + 2)
                return reply;
            reply.body += rest.mid(line + 2, size);
            used = line + 2 + size + 2;
            if (size == 0)
                break;
        }
    } else if (!bodiless) {
        used = reply.header("content-length").toLongLong();
        if (rest.size() < used)
            return reply;
        reply.body = rest.left(used);
    }
    bytes = rest.mid(used);
    reply.complete = true;
    return reply;
}

// A peer that sends exactly the bytes it is told to and reads only when asked: a bare socket, since
// QTcpSocket reads by itself and does not tell a reset from a FIN.
class RawClient final
{
public:
    enum class Closed { No, Fin, Reset };

    explicit RawClient(quint16 port, int receiveBuffer = 0)
        : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        if (receiveBuffer != 0)
            ::setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof receiveBuffer);
        const int on = 1;
        ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = qToBigEndian(port);
        address.sin_addr.s_addr = qToBigEndian(quint32{INADDR_LOOPBACK});
        // The kernel completes the handshake from the backlog, so this does not wait for the
        // server.
        m_connected = ::connect(m_socket, reinterpret_cast<const sockaddr *>(&address), // NOLINT
                                sizeof address)
            == 0;
        ::fcntl(m_socket, F_SETFL, O_NONBLOCK);
    }
    ~RawClient() { drop(); }
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;

    [[nodiscard]] bool isConnected() const { return m_connected; }

    void send(const QByteArray &bytes)
    {
        m_unsent += bytes;
        push();
    }
    [[nodiscard]] bool hasSentAll() const { return m_unsent.isEmpty(); }
    void sendFin() { ::shutdown(m_socket, SHUT_WR); }
    void drop()
    {
        if (m_socket >= 0)
            ::close(std::exchange(m_socket, -1));
    }
    void reset()
    {
        const struct linger hard = {1, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        drop();
    }

    void push()
    {
        while (!m_unsent.isEmpty() && m_socket >= 0) {
            const ssize_t count = ::send(m_socket, m_unsent.constData(),
                                         static_cast<std::size_t>(m_unsent.size()), MSG_NOSIGNAL);
            if (count <= 0)
                return;
            m_unsent.remove(0, count);
        }
    }

    // Everything that has arrived and was not taken yet.
    QByteArray &received()
    {
        push();
        std::array<char, 65536> buffer;
        while (m_closed == Closed::No && m_socket >= 0) {
            const ssize_t count = ::recv(m_socket, buffer.data(), buffer.size(), 0);
            if (count > 0)
                m_received.append(buffer.data(), count);
            else if (count == 0)
                m_closed = Closed::Fin;
            else if (errno == EAGAIN)
                break;
            else
                m_closed = Closed::Reset;
        }
        return m_received;
    }
    Closed closed()
    {
        received();
        return m_closed;
    }

    // True once a whole reply is there; take() makes it reply().
    bool hasReply(bool hasBody = true)
    {
        if (!m_next.complete)
            m_next = takeReply(received(), hasBody);
        return m_next.complete;
    }
    void take() { m_reply = std::exchange(m_next, {}); }
    [[nodiscard]] const Reply &reply() const { return m_reply; }

private:
    int m_socket;
    bool m_connected = false;
    QByteArray m_unsent;
    QByteArray m_received;
    Closed m_closed = Closed::No;
    Reply m_next;
    Reply m_reply;
};

} // namespace headway::net

// Waits for the next reply and makes it client.reply().
#define TRY_REPLY(client, ...)                                                                     \
    do {                                                                                           \
        QTRY_VERIFY((client).hasReply(__VA_ARGS__));                                               \
        (client).take();                                                                           \
    } while (false)
