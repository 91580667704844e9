// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/ssereader.h"

namespace headway::simulator {

namespace {

std::optional<ServerSentEvent> parse(const QByteArray &block)
{
    ServerSentEvent event;
    bool hasData = false;
    for (QByteArray line : block.split('\n')) {
        if (line.endsWith('\r'))
            line.chop(1);
        const qsizetype colon = line.indexOf(':');
        const QByteArray field = colon < 0 ? line : line.left(colon);
        QByteArray value = colon < 0 ? QByteArray() : line.mid(colon + 1);
        if (value.startsWith(' '))
            value.remove(0, 1);
        if (field == "event") {
            event.name = value;
        } else if (field == "data") {
            if (hasData)
                event.data.append('\n');
            event.data.append(value);
            hasData = true;
        }
    }
    return hasData ? std::optional(event) : std::nullopt;
}

} // namespace

std::optional<ServerSentEvent> SseReader::next()
{
    while (true) {
        const qsizetype plain = m_buffer.indexOf("\n\n");
        const qsizetype crlf = m_buffer.indexOf("\n\r\n");
        const bool usesCrlf = crlf >= 0 && (plain < 0 || crlf < plain);
        const qsizetype end = usesCrlf ? crlf : plain;
        if (end < 0)
            return std::nullopt;
        const QByteArray block = m_buffer.left(end);
        m_buffer.remove(0, end + (usesCrlf ? 3 : 2));
        if (auto event = parse(block))
            return event;
    }
}

} // namespace headway::simulator
