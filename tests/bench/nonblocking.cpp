// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/nonblocking.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace headway::bench {

namespace {

sockaddr_in loopback(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void sendAtOnce(int fd)
{
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

} // namespace

void setNonBlocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    sendAtOnce(fd);
}

int listenOnLoopback(std::uint16_t &port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(port);
    socklen_t size = sizeof address;
    if (fd < 0 || bind(fd, reinterpret_cast<sockaddr *>(&address), size) != 0
        || listen(fd, 4096) != 0
        || getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        return -1;
    port = ntohs(address.sin_port);
    setNonBlocking(fd);
    return fd;
}

int connectToLoopback(std::uint16_t port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(port);
    if (fd < 0 || connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
        close(fd);
        return -1;
    }
    setNonBlocking(fd);
    return fd;
}

bool Outbox::flush(int fd)
{
    while (!isEmpty()) {
        const ssize_t count
            = send(fd, m_bytes.data() + m_sent, m_bytes.size() - m_sent, MSG_NOSIGNAL);
        if (count < 0)
            return errno == EAGAIN || errno == EINTR;
        m_sent += static_cast<std::size_t>(count);
    }
    m_bytes.clear();
    m_sent = 0;
    return true;
}

ReadResult readInto(std::string &buffer, int fd)
{
    static std::array<char, 1 << 20> block;
    const ssize_t count = recv(fd, block.data(), block.size(), 0);
    if (count > 0) {
        buffer.append(block.data(), static_cast<std::size_t>(count));
        return ReadResult::Some;
    }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? ReadResult::Nothing
                                                            : ReadResult::Gone;
}

void watch(int epoll, int fd, bool alsoWritable, bool isNew)
{
    epoll_event event{};
    event.events = EPOLLIN | (alsoWritable ? static_cast<std::uint32_t>(EPOLLOUT) : 0U);
    event.data.fd = fd;
    epoll_ctl(epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
}

} // namespace headway::bench
