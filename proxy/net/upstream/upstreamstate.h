// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/dialer.h"
#include "proxy/net/upstream/framereader.h"
#include "proxy/net/upstream/framewriter.h"
#include "proxy/net/upstream/upstreamsocket.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace headway::net {

// The life of an UpstreamSocket: dialling, open, closing, done. Re-entrancy: every signal may be
// answered by any call, deletion of the UpstreamSocket included, so after each emission the phase
// is looked at again.
struct UpstreamSocket::State final : public QObject
{
public:
    explicit State(UpstreamSocket &owner);
    ~State() override;

    // The owner goes. True: this is on the stack below, and must be deleted later.
    [[nodiscard]] bool detach();

    void open(const Endpoint &endpoint, const Dialer::Headers &headers,
              std::chrono::milliseconds timeout);
    void sendText(std::string_view message);
    void ping();
    void close(std::uint16_t code);
    void abort();
    void setReadingPaused(bool paused);

    [[nodiscard]] bool isOpen() const { return m_phase == Phase::Open && !m_lost; }
    [[nodiscard]] std::uint64_t bytesUp() const;
    [[nodiscard]] std::uint64_t bytesDown() const;
    [[nodiscard]] std::size_t buffered() const;

private:
    enum class Phase : std::uint8_t {
        Idle,
        Dialling,
        Open,
        Closing, // our close frame is out, the peer's is awaited
        Draining, // both are out, or the peer broke the protocol: closed() was emitted
        Done,
    };
    struct Busy
    {
        explicit Busy(State &state)
            : m_state(state)
        {
            ++m_state.m_depth;
        }
        ~Busy() { --m_state.m_depth; }
        Busy(const Busy &) = delete;
        Busy &operator=(const Busy &) = delete;

    private:
        State &m_state;
    };

    void onUpgraded(const UpgradeReply &reply, std::string_view frames);
    void onRefused(const UpgradeReply &reply);
    void onFailed(const QString &reason, DialStage stage);
    void takeSocket();
    void readAvailable();
    void readLater();
    void deliver();
    void handle(const FrameReader::Event &event);
    void pump();
    void onLost();
    void endByPeer(std::uint16_t code, const QString &reason);
    void finish(Phase next, std::uint16_t code, const QString &reason);
    [[nodiscard]] bool reads() const;
    [[nodiscard]] qint64 unsent() const;

    UpstreamSocket *m_owner; // null once detached
    std::unique_ptr<Dialer> m_dialer;
    std::unique_ptr<QTcpSocket> m_socket;
    QSslSocket *m_tls = nullptr; // m_socket, when it is one
    std::optional<FrameReader> m_reader;
    std::optional<FrameWriter> m_writer;
    std::unique_ptr<QTimer> m_deadline; // of the closing handshake
    std::uint64_t m_bytesUp = 0;
    std::uint64_t m_bytesDown = 0;
    int m_depth = 0; // slots of ours on the stack
    Phase m_phase = Phase::Idle;
    bool m_paused = false;
    bool m_lost = false; // TCP is gone; what it left is still to be read
    bool m_readQueued = false;
    bool m_inRead = false; // within the socket's read(), where it must not be aborted
};

} // namespace headway::net
