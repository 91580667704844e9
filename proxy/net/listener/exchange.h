// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::net {

using HeaderFields = std::vector<std::pair<std::string, std::string>>; // names lower case, in order

// Where a request goes; recognised by the end of its path (spec/cli.md).
enum class Route : std::uint8_t {
    Messages, // POST …/messages
    CountTokens, // POST …/messages/count_tokens
    Models, // GET …/models[/ID]
    Responses, // POST …/responses, and its upgrade
    ChatCompletions, // POST …/chat/completions
    Probe, // HEAD …/ and HEAD …/api/hello
    Health, // GET /healthz
    Metrics, // GET /metrics
    State, // GET /headway/v1/state
    Feed, // GET /headway/v1/feed as an upgrade
};

// Which place held the key that let a request in. A route that relays the client's own credential
// accepts Dedicated only (spec/safety.md).
enum class KeyPlace : std::uint8_t {
    NotAsked, // open route, or no access key is set
    Dedicated, // x-headway-key or the /k/KEY path prefix
    Credential, // x-api-key or Bearer
};

struct RequestHead
{
    std::string method;
    std::string target; // as sent, but without a /k/KEY prefix
    std::string path; // without query; percent-decoding is not applied
    std::string query;
    HeaderFields headers;
    bool keepAlive = true;
    bool upgrade = false; // Connection: upgrade with Upgrade: websocket
    Route route = Route::Probe;
    KeyPlace keyPlace = KeyPlace::NotAsked;

    [[nodiscard]] std::string_view
    header(std::string_view lowerCaseName) const; // first; empty if none
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
