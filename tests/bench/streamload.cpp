// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/streamload.h"

#include <array>
#include <memory>
#include <optional>
#include <sys/epoll.h>
#include <unistd.h>

namespace headway::bench {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Stream
{
    int fd = -1;
    std::string in;
    Outbox out;
    ReplyReader reader;
    std::optional<Session> session;
    Clock::time_point asked;
    bool wantsWritable = false;
    bool hasFirst = false;
};

class Load
{
public:
    explicit Load(const LoadPlan &plan)
        : m_plan(plan)
        , m_reply(replyText(plan.shape.deltas))
        , m_epoll(epoll_create1(EPOLL_CLOEXEC))
    {
    }

    LoadResult run()
    {
        const auto start = Clock::now();
        m_streams.resize(static_cast<std::size_t>(m_plan.streams));
        for (Stream &stream : m_streams)
            startTurn(stream);
        std::array<epoll_event, 512> events{};
        while (m_running > 0) {
            const int count
                = epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), -1);
            for (int i = 0; i < count; ++i)
                serve(streamOf(events[static_cast<std::size_t>(i)].data.fd));
        }
        m_result.seconds = millisecondsSince(start) / 1000;
        for (const Stream &stream : m_streams) {
            if (stream.fd >= 0)
                close(stream.fd);
        }
        close(m_epoll);
        return std::move(m_result);
    }

private:
    Stream &streamOf(int fd) { return m_streams[m_byDescriptor[static_cast<std::size_t>(fd)]]; }

    void startTurn(Stream &stream)
    {
        if (m_started == m_plan.turns)
            return;
        ++m_started;
        if (!stream.session || stream.session->isOver())
            stream.session.emplace(m_plan, ++m_sessions);
        if (stream.fd < 0 && !connect(stream)) {
            lose(stream, "connection refused");
            return;
        }
        ++m_running;
        stream.reader.begin();
        stream.hasFirst = false;
        stream.out.add(stream.session->nextRequest());
        stream.asked = Clock::now();
        flush(stream);
    }

    bool connect(Stream &stream)
    {
        stream.fd = connectToLoopback(m_plan.port);
        if (stream.fd < 0)
            return false;
        stream.in.clear();
        const auto index = static_cast<std::size_t>(stream.fd);
        if (m_byDescriptor.size() <= index)
            m_byDescriptor.resize(index + 1);
        m_byDescriptor[index] = static_cast<std::size_t>(&stream - m_streams.data());
        watch(m_epoll, stream.fd, false, true);
        return true;
    }

    void serve(Stream &stream)
    {
        flush(stream);
        const std::size_t before = stream.in.size();
        const ReadResult result = readInto(stream.in, stream.fd);
        m_result.bytes += stream.in.size() - before;
        ReplyReader::Progress progress = stream.reader.read(stream.in);
        if (!stream.hasFirst && stream.reader.hasEvent()) {
            stream.hasFirst = true;
            m_result.firstEventMs.push_back(millisecondsSince(stream.asked));
        }
        if (result == ReadResult::Gone && progress == ReplyReader::Progress::More)
            progress = ReplyReader::Progress::Broken;
        if (progress != ReplyReader::Progress::More)
            endTurn(stream, progress);
    }

    void endTurn(Stream &stream, ReplyReader::Progress progress)
    {
        --m_running;
        m_result.deltas += stream.reader.deltas();
        if (progress == ReplyReader::Progress::Complete && stream.reader.isGood()) {
            ++m_result.turns;
            stream.session->hear(m_reply);
        } else {
            lose(stream, stream.reader.head() + stream.reader.lastLines());
        }
        startTurn(stream);
    }

    void lose(Stream &stream, const std::string &why)
    {
        ++m_result.lost;
        if (m_result.firstLoss.empty())
            m_result.firstLoss = why;
        stream.session.reset();
        if (stream.fd >= 0)
            close(stream.fd);
        stream.fd = -1;
    }

    void flush(Stream &stream)
    {
        // A peer that is gone is seen by the reading.
        const bool alive = stream.out.flush(stream.fd);
        const bool wantsWritable = alive && !stream.out.isEmpty();
        if (wantsWritable != stream.wantsWritable) {
            stream.wantsWritable = wantsWritable;
            watch(m_epoll, stream.fd, wantsWritable, false);
        }
    }

    const LoadPlan &m_plan;
    std::string m_reply;
    int m_epoll;
    std::vector<Stream> m_streams;
    std::vector<std::size_t> m_byDescriptor;
    LoadResult m_result;
    std::uint64_t m_sessions = static_cast<std::uint64_t>(getpid()) * 1000;
    int m_started = 0;
    int m_running = 0;
};

} // namespace

LoadResult runLoad(const LoadPlan &plan)
{
    return Load(plan).run();
}

} // namespace headway::bench
