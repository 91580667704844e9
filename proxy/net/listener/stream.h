// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headway::net {

class Reactor;

// Who talks over a Stream. Called from the reactor's turn only, never from inside a call to the
// Stream, so that no caller is surprised by its own effects.
class StreamSink
{
public:
    StreamSink() = default;
    StreamSink(const StreamSink &) = delete;
    StreamSink &operator=(const StreamSink &) = delete;
    virtual ~StreamSink() = default;

    virtual void arrived(std::string_view bytes) = 0; // valid during the call
    virtual void ended() = 0; // the peer sent FIN or a reset; once, nothing arrives after it
    virtual void sent() = 0; // a flush was tried; buffered() is up to date
    virtual void tick(base::SteadyTime now) = 0;
};

// One accepted TCP connection: a non-blocking descriptor and an output buffer that is written once
// per turn of the event loop. It decides nothing about the bytes. Owned by the reactor, which
// deletes it after it closed.
//
// A descriptor of our own instead of QTcpSocket, since a QTcpSocket with a full read buffer does
// not see the peer's FIN, cannot be reset after its output is out, and costs twice the CPU per
// request.
class Stream final
{
public:
    Stream(Reactor &reactor, int descriptor, std::size_t slot);
    ~Stream();
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    // The former sink lives until the end of the turn.
    void setSink(std::unique_ptr<StreamSink> sink);

    // Append to output(), then call flushSoon(): written at the end of the turn, or at once when
    // much has gathered. The sink hears sent().
    [[nodiscard]] std::string &output() { return m_output; }
    void flushSoon();
    [[nodiscard]] std::size_t buffered() const { return m_output.size() - m_taken; }

    void setReading(bool on); // off: bytes stay in the kernel, a FIN is still seen

    // Each of these lets go of the sink; the stream closes on its own.
    void finish(); // everything out, FIN, then what still comes is read over for a while
    void reset(); // everything out and delivered, then a reset instead of a FIN
    void abort(); // closed now

    [[nodiscard]] Reactor &reactor() const { return m_reactor; }

private:
    friend class Reactor;
    enum class Mode : std::uint8_t { Open, Finishing, Lingering, Resetting, Closed };

    void ready(std::uint32_t events);
    void flush();
    void tick(base::SteadyTime now);
    [[nodiscard]] bool checkDelivered(); // true once nothing is left to wait for

    void receive();
    void peerEnded();
    void transmit();
    void updateInterest();
    void leaveSink(Mode mode);
    void linger();
    void close(bool withReset);

    Reactor &m_reactor;
    std::unique_ptr<StreamSink> m_sink;
    std::string m_output;
    std::size_t m_taken = 0; // of m_output, by the kernel
    std::size_t m_discarded = 0;
    base::SteadyTime m_deadline;
    std::size_t m_slot; // in the reactor's table
    int m_descriptor;
    std::uint32_t m_interest = 0;
    Mode m_mode = Mode::Open;
    bool m_reading = true;
    bool m_blocked = false; // the kernel's send buffer is full
    bool m_failed = false; // a write failed: the peer is gone
    bool m_peerEnded = false;
    bool m_dirty = false; // in the reactor's list of streams to flush
};

} // namespace headway::net
