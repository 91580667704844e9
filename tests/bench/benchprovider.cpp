// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchprovider.h"

#include <algorithm>
#include <cstdlib>
#include <openssl/evp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace headway::bench {

namespace {

std::string lowered(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

// The value of a header of a head; empty if it is not there.
std::string field(const std::string &head, const std::string &lowerName)
{
    const std::size_t at = lowered(head).find("\r\n" + lowerName + ":");
    if (at == std::string::npos)
        return {};
    const std::size_t start = head.find_first_not_of(' ', at + lowerName.size() + 3);
    return head.substr(start, head.find("\r\n", start) - start);
}

std::string acceptFor(const std::string &key)
{
    const std::string proof = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(proof.data(), proof.size(), digest.data(), &size, EVP_sha1(), nullptr);
    std::array<unsigned char, 64> text{};
    const int length = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(size));
    return {text.begin(), text.begin() + length};
}

} // namespace

std::uint16_t BenchProvider::listen(std::uint16_t port)
{
    m_listener = listenOnLoopback(port);
    if (m_listener < 0)
        return 0;
    m_epoll = epoll_create1(EPOLL_CLOEXEC);
    m_timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    const itimerspec everyMillisecond{{0, 1000000}, {0, 1000000}};
    timerfd_settime(m_timer, 0, &everyMillisecond, nullptr);
    watch(m_epoll, m_listener, false, true);
    watch(m_epoll, m_timer, false, true);
    return port;
}

void BenchProvider::run()
{
    std::array<epoll_event, 512> events{};
    for (;;) {
        const int count = epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            const epoll_event &event = events[static_cast<std::size_t>(i)];
            const int fd = event.data.fd;
            if (fd == m_listener) {
                acceptAll();
            } else if (fd == m_timer) {
                std::uint64_t ticks = 0;
                if (read(m_timer, &ticks, sizeof ticks) == sizeof ticks) {
                    for (; ticks > 0; --ticks)
                        tick();
                }
            } else if (const auto found = m_connections.find(fd); found != m_connections.end()) {
                if ((event.events & EPOLLIN) != 0)
                    serve(*found->second);
                else
                    flush(*found->second);
            }
        }
    }
}

void BenchProvider::acceptAll()
{
    for (int fd = 0; (fd = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
        setNonBlocking(fd);
        auto connection = std::make_unique<Connection>();
        connection->fd = fd;
        m_connections[fd] = std::move(connection);
        watch(m_epoll, fd, false, true);
    }
}

void BenchProvider::serve(Connection &connection)
{
    if (readInto(connection.in, connection.fd) == ReadResult::Gone) {
        drop(connection.fd);
        return;
    }
    while (connection.isWebSocket ? takeFrame(connection) : takeHttpRequest(connection)) {
    }
    flush(connection);
}

bool BenchProvider::takeHttpRequest(Connection &connection)
{
    const std::size_t end = connection.in.find("\r\n\r\n");
    if (end == std::string::npos)
        return false;
    const std::string head = connection.in.substr(0, end + 2);
    if (!field(head, "sec-websocket-key").empty()) {
        connection.in.erase(0, end + 4);
        upgrade(connection, head);
        return true;
    }
    if (head.starts_with("GET /statistics ")) {
        connection.in.erase(0, end + 4);
        tellStatistics(connection);
        return true;
    }
    const std::size_t size = std::strtoul(field(head, "content-length").c_str(), nullptr, 10);
    if (connection.in.size() < end + 4 + size)
        return false;
    const std::string body = connection.in.substr(end + 4, size);
    connection.in.erase(0, end + 4 + size);
    const bool isMessages
        = head.substr(0, head.find("\r\n")).find("/messages") != std::string::npos;
    answer(connection, isMessages ? Wire::MessagesSse : Wire::ResponsesSse, body);
    return true;
}

void BenchProvider::tellStatistics(Connection &connection)
{
    const std::string body = "{\"replies\":" + std::to_string(m_replies) + ",\"upgrades\":"
        + std::to_string(m_upgrades) + ",\"continued\":" + std::to_string(m_continued) + "}";
    connection.out.add("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                       + std::to_string(body.size()) + "\r\n\r\n" + body);
}

void BenchProvider::upgrade(Connection &connection, const std::string &head)
{
    ++m_upgrades;
    connection.isWebSocket = true;
    connection.out.add("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                       "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                       + acceptFor(field(head, "sec-websocket-key")) + "\r\n\r\n");
}

// RFC 6455 section 5.2; a client's frames are masked.
bool BenchProvider::takeFrame(Connection &connection)
{
    std::string &in = connection.in;
    const auto at = [&in](std::size_t i) { return static_cast<std::uint8_t>(in[i]); };
    if (in.size() < 2)
        return false;
    const unsigned opcode = at(0) & 0x0fU;
    const bool isLast = (at(0) & 0x80U) != 0;
    std::size_t size = at(1) & 0x7fU;
    const std::size_t lengthBytes = size == 126 ? 2 : size == 127 ? 8 : 0;
    const std::size_t head = 2 + lengthBytes + 4;
    if (in.size() < head)
        return false;
    if (lengthBytes > 0) {
        size = 0;
        for (std::size_t i = 0; i < lengthBytes; ++i)
            size = (size << 8U) | at(2 + i);
    }
    if (in.size() < head + size)
        return false;
    std::string payload = in.substr(head, size);
    for (std::size_t i = 0; i < size; ++i)
        payload[i] = static_cast<char>(payload[i] ^ in[head - 4 + i % 4]);
    in.erase(0, head + size);
    if (opcode == 0x9) { // ping
        const std::string pong{'\x8a', static_cast<char>(payload.size())};
        connection.out.add(pong + payload);
    } else if (opcode == 0x8) { // close: echo it; the client ends TCP
        const std::string close{'\x88', static_cast<char>(payload.size())};
        connection.out.add(close + payload);
    } else if (opcode <= 0x1) {
        connection.message += payload;
        if (isLast) {
            answer(connection, Wire::WebSocket, connection.message);
            connection.message.clear();
        }
    }
    return true;
}

void BenchProvider::answer(Connection &connection, Wire wire, const std::string &body)
{
    const TurnShape shape = shapeFromBody(body);
    if (wire == Wire::WebSocket && body.find("\"previous_response_id\":\"") != std::string::npos)
        ++m_continued;
    const ReplyScript &script = scriptFor(wire, shape.deltas);
    const std::string reply = script.withId(++m_replies);
    if (shape.paceMs == 0) {
        connection.out.add(reply);
        return;
    }
    connection.reply = reply;
    connection.script = &script;
    connection.nextCut = 0;
    // What precedes the deltas goes at once, the first delta within one pace, at a time of its own
    // so that streams do not march in step.
    connection.out.add(std::string_view(reply).substr(0, script.cuts.front()));
    const int pace = std::clamp(shape.paceMs, 1, static_cast<int>(m_wheel.size()) - 1);
    m_paces[connection.fd] = pace;
    const std::size_t phase = 1 + (m_replies * 37U) % static_cast<std::size_t>(pace);
    m_wheel[(m_now + phase) % m_wheel.size()].push_back(connection.fd);
}

void BenchProvider::tick()
{
    m_now = (m_now + 1) % m_wheel.size();
    Slot due;
    due.swap(m_wheel[m_now]);
    for (const int fd : due) {
        const auto found = m_connections.find(fd);
        const auto pace = m_paces.find(fd);
        if (found != m_connections.end() && pace != m_paces.end())
            sendNextDelta(*found->second, pace->second);
    }
}

void BenchProvider::sendNextDelta(Connection &connection, int paceMs)
{
    const ReplyScript &script = *connection.script;
    const std::size_t start = script.cuts[connection.nextCut];
    ++connection.nextCut;
    const bool isLast = connection.nextCut + 1 == script.cuts.size();
    const std::size_t end = isLast ? connection.reply.size() : script.cuts[connection.nextCut];
    connection.out.add(std::string_view(connection.reply).substr(start, end - start));
    if (isLast)
        m_paces.erase(connection.fd);
    else
        m_wheel[(m_now + static_cast<std::size_t>(paceMs)) % m_wheel.size()].push_back(
            connection.fd);
    flush(connection);
}

void BenchProvider::flush(Connection &connection)
{
    if (!connection.out.flush(connection.fd)) {
        drop(connection.fd);
        return;
    }
    const bool wantsWritable = !connection.out.isEmpty();
    if (wantsWritable != connection.wantsWritable) {
        connection.wantsWritable = wantsWritable;
        watch(m_epoll, connection.fd, wantsWritable, false);
    }
}

void BenchProvider::drop(int fd)
{
    m_paces.erase(fd);
    for (Slot &slot : m_wheel)
        slot.erase(std::remove(slot.begin(), slot.end(), fd), slot.end());
    m_connections.erase(fd);
    close(fd);
}

const ReplyScript &BenchProvider::scriptFor(Wire wire, int deltas)
{
    const auto [found, isNew] = m_scripts.try_emplace({wire, deltas});
    if (isNew)
        found->second = makeReply(wire, deltas);
    return found->second;
}

} // namespace headway::bench
