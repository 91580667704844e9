// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::net {

using HeaderFields = std::vector<std::pair<std::string, std::string>>; // names lower case, in order

struct RequestHead
{
    std::string method;
    std::string target; // as sent
    std::string path; // without query; percent-decoding is not applied
    std::string query;
    HeaderFields headers;
    bool keepAlive = true;
    bool upgrade = false; // Connection: upgrade with Upgrade: websocket

    [[nodiscard]] std::string_view header(std::string_view lowerCaseName) const; // first; empty if none
};

// One HTTP request and its reply on a client connection. Lives until it is finished and the client
// has it, or the client is gone; the server deletes it. All calls on the server's thread.
class Exchange : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] virtual const RequestHead &head() const = 0;
    // The decoded body (identity, gzip, deflate, zstd), with at least 64 spare bytes of capacity
    // behind it. Moves it out.
    [[nodiscard]] virtual std::string takeBody() = 0;

    // A whole reply; Content-Length, Date and Connection are added. HEAD gets no body.
    virtual void respond(int status, const HeaderFields &headers, std::string_view body) = 0;

    // A streamed reply, chunked (HTTP/1.0: until close).
    virtual void openStream(int status, const HeaderFields &headers) = 0;
    virtual void write(std::string_view bytes) = 0; // coalesced; flushed by the event loop
    virtual void finish() = 0;
    // After an error in an open stream: no clean end, the connection is reset once what was written
    // is out, so that no client takes it for success.
    virtual void cut() = 0;

    [[nodiscard]] virtual std::size_t buffered() const = 0; // bytes not yet taken by the kernel
    [[nodiscard]] virtual bool isOpen() const = 0; // false once the client is gone

Q_SIGNALS:
    void clientGone(); // before the reply was finished; emitted at most once
    void drained(); // buffered() fell below the low-water mark after having been above the high one
};

} // namespace headway::net
