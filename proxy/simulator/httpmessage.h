// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::simulator {

// The head of an HTTP/1.1 message. Just enough of RFC 9112 for one peer on loopback: no obs-fold,
// no trailers, no limits but one on size.
struct MessageHead
{
    // Request: method, target, version. Response: version, status, reason.
    QByteArrayList startLine;
    std::vector<std::pair<QByteArray, QByteArray>> headers; // names lower case

    // The value of the first such header; empty when there is none.
    [[nodiscard]] QByteArray header(const char *lowerCaseName) const;
};

// Takes a whole head off the front of `buffer`. Nothing: more bytes are needed.
[[nodiscard]] tl::expected<std::optional<MessageHead>, std::string> takeHead(QByteArray &buffer);

// Takes a body off a buffer: by Content-Length, chunked, or until the peer closes.
class BodyReader final
{
public:
    BodyReader() = default;
    // A request without a length has no body; a response without one lasts until close.
    [[nodiscard]] static tl::expected<BodyReader, std::string> of(const MessageHead &head,
                                                                  bool isResponse);

    // Decoded bytes that were there; what belongs to the next message stays in `buffer`.
    [[nodiscard]] tl::expected<QByteArray, std::string> take(QByteArray &buffer);
    [[nodiscard]] bool complete() const { return m_complete; }
    // The peer has closed: whether that is a proper end.
    [[nodiscard]] bool endsWithClose() const { return m_kind == Kind::UntilClose || m_complete; }

private:
    enum class Kind : std::uint8_t { Length, Chunked, UntilClose };

    [[nodiscard]] tl::expected<QByteArray, std::string> takeChunks(QByteArray &buffer);

    Kind m_kind = Kind::Length;
    qsizetype m_left = 0; // of the body, or of the current chunk with its line end
    bool m_complete = true;
};

} // namespace headway::simulator
