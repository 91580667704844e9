// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QCryptographicHash>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// A server's side of RFC 6455 for tests, written from the RFC and sharing nothing with the product.
namespace headway::testing {

enum Opcode : std::uint8_t {
    Continuation = 0x0,
    Text = 0x1,
    Binary = 0x2,
    Close = 0x8,
    Ping = 0x9,
    Pong = 0xa,
};

// An unmasked frame, section 5.2. `firstBits` goes over FIN and RSV: 0x80 is FIN alone.
inline QByteArray frame(std::uint8_t opcode, const QByteArray &payload,
                        std::uint8_t firstBits = 0x80)
{
    QByteArray bytes;
    bytes += static_cast<char>(firstBits | opcode);
    const auto size = static_cast<std::uint64_t>(payload.size());
    unsigned lengthBytes = 0;
    if (size < 126) {
        bytes += static_cast<char>(size);
    } else if (size <= 0xffff) {
        bytes += static_cast<char>(126);
        lengthBytes = 2;
    } else {
        bytes += static_cast<char>(127);
        lengthBytes = 8;
    }
    for (; lengthBytes > 0; --lengthBytes)
        bytes += static_cast<char>((size >> (8 * (lengthBytes - 1))) & 0xff);
    return bytes + payload;
}

inline QByteArray fragment(std::uint8_t opcode, const QByteArray &payload)
{
    return frame(opcode, payload, 0x00);
}

inline QByteArray closeFrame(int code, const QByteArray &reason = {})
{
    QByteArray payload;
    payload += static_cast<char>(code >> 8);
    payload += static_cast<char>(code & 0xff);
    return frame(Close, payload + reason);
}

struct ClientFrame
{
    std::uint8_t opcode = 0;
    bool fin = false;
    bool masked = false;
    QByteArray payload; // unmasked
};

// The first whole client frame of `bytes`, and its length there.
inline std::optional<std::pair<ClientFrame, qsizetype>> firstFrame(QByteArrayView bytes)
{
    const auto at = [&bytes](qsizetype i) { return static_cast<std::uint8_t>(bytes[i]); };
    if (bytes.size() < 2)
        return std::nullopt;
    ClientFrame result{
        static_cast<std::uint8_t>(at(0) & 0x0f), (at(0) & 0x80) != 0, (at(1) & 0x80) != 0, {}};
    std::uint64_t size = at(1) & 0x7f;
    qsizetype head = 2;
    const qsizetype lengthBytes = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (bytes.size() < head + lengthBytes)
        return std::nullopt;
    if (lengthBytes > 0) {
        size = 0;
        for (qsizetype i = 0; i < lengthBytes; ++i)
            size = (size << 8) | at(head + i);
    }
    head += lengthBytes;
    const qsizetype key = head;
    if (result.masked)
        head += 4;
    if (bytes.size() < head + static_cast<qsizetype>(size))
        return std::nullopt;
    result.payload = bytes.sliced(head, static_cast<qsizetype>(size)).toByteArray();
    char *payload = result.payload.data();
    for (qsizetype i = 0; result.masked && i < result.payload.size(); ++i)
        payload[i] = static_cast<char>(payload[i] ^ bytes[key + i % 4]);
    return std::pair(std::move(result), head + static_cast<qsizetype>(size));
}

// Takes all whole client frames from the front of `bytes`.
inline void takeFrames(QByteArray &bytes, std::vector<ClientFrame> &frames)
{
    qsizetype taken = 0;
    while (auto next = firstFrame(QByteArrayView(bytes).sliced(taken))) {
        frames.push_back(std::move(next->first));
        taken += next->second;
    }
    bytes.remove(0, taken);
}

// The answer to an upgrade request, section 4.2.2.
inline QByteArray acceptFor(const QByteArray &key)
{
    const QByteArray proof = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    return QCryptographicHash::hash(proof, QCryptographicHash::Sha1).toBase64();
}

inline QByteArray fieldOf(const QByteArray &head, const QByteArray &name)
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.left(colon).compare(name, Qt::CaseInsensitive) == 0)
            return line.mid(colon + 1).trimmed();
    }
    return {};
}

inline QByteArray switchingProtocols(const QByteArray &requestHead)
{
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Accept: "
        + acceptFor(fieldOf(requestHead, "Sec-WebSocket-Key")) + "\r\n\r\n";
}

} // namespace headway::testing
