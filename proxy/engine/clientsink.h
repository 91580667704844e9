// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/replywriter.h"

#include <QObject>
#include <QPointer>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::net {
class ClientSocket;
class Exchange;
} // namespace headway::net

namespace headway::engine {

// Where one turn's reply goes. After one of answer, finish, fail it is spent.
class ClientSink : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    using Headers = std::vector<std::pair<std::string, std::string>>;
    virtual void open(const Headers &headers) = 0; // of a stream that is well so far
    virtual void write(std::string_view bytes) = 0;
    virtual void finish() = 0;
    virtual void answer(const dialects::Answer &answer) = 0; // whole reply, instead of a stream
    virtual void fail(std::string_view lastBytes) = 0; // error in an open stream

    [[nodiscard]] virtual std::size_t buffered() const = 0;
    [[nodiscard]] bool isOpened() const { return m_opened; }
    [[nodiscard]] std::uint64_t bytesOut() const { return m_bytesOut; }

Q_SIGNALS:
    void gone();
    void drained();

protected:
    bool m_opened = false;
    std::uint64_t m_bytesOut = 0;
};

// One HTTP exchange: a JSON body or an event stream.
class HttpSink final : public ClientSink
{
    Q_OBJECT

public:
    explicit HttpSink(net::Exchange *exchange, QObject *parent = nullptr);

    void open(const Headers &headers) override;
    void write(std::string_view bytes) override;
    void finish() override;
    void answer(const dialects::Answer &answer) override;
    void fail(std::string_view lastBytes) override;
    [[nodiscard]] std::size_t buffered() const override;

private:
    QPointer<net::Exchange> m_exchange;
};

// One turn on a client's WebSocket; the socket outlives it. What is written are messages, each
// closed by dialects::messageEnd.
class SocketSink final : public ClientSink
{
    Q_OBJECT

public:
    explicit SocketSink(net::ClientSocket *socket, QObject *parent = nullptr);

    void open(const Headers &headers) override;
    void write(std::string_view bytes) override;
    void finish() override;
    void answer(const dialects::Answer &answer) override;
    void fail(std::string_view lastBytes) override;
    [[nodiscard]] std::size_t buffered() const override;

private:
    void detach();

    QPointer<net::ClientSocket> m_socket;
};

} // namespace headway::engine
