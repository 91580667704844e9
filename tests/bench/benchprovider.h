// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/nonblocking.h"
#include "tests/bench/replyscript.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headway::bench {

// A provider that costs next to nothing per event: a Responses WebSocket, and the same replies as
// HTTP event streams (POST …/responses and …/messages) for a plain relay to carry. GET /statistics
// tells what it saw. One thread.
class BenchProvider final
{
public:
    // The port taken; 0: none.
    [[nodiscard]] std::uint16_t listen(std::uint16_t port);
    [[noreturn]] void run();

private:
    struct Connection
    {
        int fd = -1;
        std::string in;
        Outbox out;
        std::string message; // of a WebSocket, while its fragments come in
        bool isWebSocket = false;
        bool wantsWritable = false;
        // A paced reply: what is left of it.
        std::string reply;
        const ReplyScript *script = nullptr;
        std::size_t nextCut = 0;
    };
    using Slot = std::vector<int>; // connections whose next delta is due in this millisecond

    void acceptAll();
    void serve(Connection &connection);
    [[nodiscard]] bool takeHttpRequest(Connection &connection);
    [[nodiscard]] bool takeFrame(Connection &connection);
    void tellStatistics(Connection &connection);
    void upgrade(Connection &connection, const std::string &head);
    void answer(Connection &connection, Wire wire, const std::string &body);
    void sendNextDelta(Connection &connection, int paceMs);
    void tick();
    void flush(Connection &connection);
    void drop(int fd);
    [[nodiscard]] const ReplyScript &scriptFor(Wire wire, int deltas);

    int m_listener = -1;
    int m_epoll = -1;
    int m_timer = -1;
    std::uint64_t m_replies = 0;
    std::uint64_t m_upgrades = 0;
    std::uint64_t m_continued = 0; // replies asked for with a previous_response_id
    std::map<int, std::unique_ptr<Connection>> m_connections;
    std::map<std::pair<Wire, int>, ReplyScript> m_scripts;
    std::array<Slot, 1000> m_wheel; // one per millisecond
    std::map<int, int> m_paces; // of connections in the wheel
    std::size_t m_now = 0;
};

} // namespace headway::bench
