// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/streamload.h"

#include <algorithm>
#include <cstdlib>

namespace headway::bench {

void ReplyReader::begin()
{
    *this = {};
}

ReplyReader::Progress ReplyReader::read(std::string &in)
{
    std::size_t at = 0;
    const auto consumed = [&](Progress progress) {
        in.erase(0, at);
        return progress;
    };
    if (m_head.empty()) {
        const std::size_t end = in.find("\r\n\r\n");
        if (end == std::string::npos)
            return Progress::More;
        m_head = in.substr(0, end + 2);
        at = end + 4;
        if (m_head.size() > 12)
            m_status = std::atoi(m_head.c_str() + 9);
        std::string lower = m_head;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        m_isChunked = lower.find("\r\ntransfer-encoding: chunked\r\n") != std::string::npos;
        const std::size_t length = lower.find("\r\ncontent-length:");
        if (!m_isChunked && length == std::string::npos)
            return consumed(Progress::Broken);
        m_left = m_isChunked ? 0 : std::strtoul(lower.c_str() + length + 17, nullptr, 10);
    }
    while (m_isChunked || m_left > 0) {
        if (m_left > 0) {
            const std::size_t count = std::min(m_left, in.size() - at);
            countEvents(std::string_view(in).substr(at, count));
            at += count;
            m_left -= count;
            if (m_left > 0)
                return consumed(Progress::More);
            continue;
        }
        if (m_inChunk) { // the line break behind a chunk
            if (in.size() - at < 2)
                return consumed(Progress::More);
            at += 2;
            m_inChunk = false;
            continue;
        }
        const std::size_t end = in.find("\r\n", at);
        if (end == std::string::npos)
            return consumed(Progress::More);
        const std::size_t size = std::strtoul(in.c_str() + at, nullptr, 16);
        if (size == 0) {
            if (in.size() < end + 4)
                return consumed(Progress::More);
            at = end + 4;
            return consumed(Progress::Complete);
        }
        at = end + 2;
        m_left = size;
        m_inChunk = true;
    }
    return consumed(Progress::Complete);
}

void ReplyReader::countEvents(std::string_view body)
{
    constexpr std::string_view messagesDelta = "event: content_block_delta";
    constexpr std::string_view responsesDelta = "event: response.output_text.delta";
    while (!body.empty()) {
        const std::size_t end = body.find('\n');
        m_line.append(body.substr(0, end));
        if (end == std::string_view::npos)
            return;
        body.remove_prefix(end + 1);
        m_hasEvent = m_hasEvent || m_line.starts_with("event: ");
        if (m_line == messagesDelta || m_line == responsesDelta)
            ++m_deltas;
        else if (m_line == "event: message_stop" || m_line == "event: response.completed")
            m_sawEnd = true;
        m_line.clear();
    }
}

} // namespace headway::bench
