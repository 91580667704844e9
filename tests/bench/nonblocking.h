// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Plain sockets and epoll: what is measured must not share a framework with what measures it.
namespace headway::bench {

[[nodiscard]] int listenOnLoopback(std::uint16_t &port); // port 0: any, and says which
[[nodiscard]] int connectToLoopback(std::uint16_t port); // -1: refused
void setNonBlocking(int fd);

// Bytes on their way out of a socket.
class Outbox final
{
public:
    void add(std::string_view bytes) { m_bytes.append(bytes); }
    // Writes what the kernel takes. False: the peer is gone.
    [[nodiscard]] bool flush(int fd);
    [[nodiscard]] bool isEmpty() const { return m_sent == m_bytes.size(); }

private:
    std::string m_bytes;
    std::size_t m_sent = 0;
};

enum class ReadResult : std::uint8_t { Some, Nothing, Gone };
// Appends what is there, up to 1 MiB.
[[nodiscard]] ReadResult readInto(std::string &buffer, int fd);

void watch(int epoll, int fd, bool alsoWritable, bool isNew);

} // namespace headway::bench
