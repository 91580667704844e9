// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/httpmessage.h"

#include <algorithm>

namespace headway::simulator {

namespace {

constexpr qsizetype maxHead = 256 * 1024;
constexpr qlonglong maxBody = qlonglong{1} << 31;

} // namespace

QByteArray MessageHead::header(const char *lowerCaseName) const
{
    for (const auto &[name, value] : headers) {
        if (name == lowerCaseName)
            return value;
    }
    return {};
}

tl::expected<std::optional<MessageHead>, std::string> takeHead(QByteArray &buffer)
{
    const qsizetype end = buffer.indexOf("\r\n\r\n");
    if (end < 0) {
        if (buffer.size() > maxHead)
            return tl::unexpected(std::string("head too large"));
        return std::optional<MessageHead>{};
    }
    MessageHead head;
    const QByteArrayList lines = buffer.left(end).split('\n');
    buffer.remove(0, end + 4);
    const QByteArray first = lines.front().trimmed();
    const qsizetype one = first.indexOf(' ');
    const qsizetype two = one < 0 ? -1 : first.indexOf(' ', one + 1);
    if (one <= 0)
        return tl::unexpected(std::string("malformed start line"));
    head.startLine = {first.left(one), first.mid(one + 1, two < 0 ? -1 : two - one - 1),
                      two < 0 ? QByteArray() : first.mid(two + 1)};
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QByteArray &line = lines.at(i);
        const qsizetype colon = line.indexOf(':');
        if (colon <= 0)
            return tl::unexpected(std::string("malformed header line"));
        head.headers.emplace_back(line.left(colon).trimmed().toLower(),
                                  line.mid(colon + 1).trimmed());
    }
    return std::optional<MessageHead>{std::move(head)};
}

tl::expected<BodyReader, std::string> BodyReader::of(const MessageHead &head, bool isResponse)
{
    BodyReader reader;
    const QByteArray length = head.header("content-length");
    if (head.header("transfer-encoding").toLower().contains("chunked")) {
        reader.m_kind = Kind::Chunked;
        reader.m_complete = false;
    } else if (!length.isEmpty()) {
        bool valid = false;
        const qlonglong bytes = length.toLongLong(&valid);
        if (!valid || bytes < 0 || bytes > maxBody)
            return tl::unexpected(std::string("malformed Content-Length"));
        reader.m_left = bytes;
        reader.m_complete = bytes == 0;
    } else if (isResponse && head.startLine.value(1) != "204" && head.startLine.value(1) != "304") {
        reader.m_kind = Kind::UntilClose;
        reader.m_complete = false;
    }
    return reader;
}

tl::expected<QByteArray, std::string> BodyReader::take(QByteArray &buffer)
{
    if (m_complete)
        return QByteArray();
    if (m_kind == Kind::Chunked)
        return takeChunks(buffer);
    if (m_kind == Kind::UntilClose)
        return std::exchange(buffer, {});
    const qsizetype size = std::min(m_left, buffer.size());
    const QByteArray body = buffer.left(size);
    buffer.remove(0, size);
    m_left -= size;
    m_complete = m_left == 0;
    return body;
}

tl::expected<QByteArray, std::string> BodyReader::takeChunks(QByteArray &buffer)
{
    QByteArray body;
    while (!m_complete) {
        if (m_left == 0) {
            const qsizetype end = buffer.indexOf("\r\n");
            if (end < 0)
                break;
            const QByteArray line = buffer.left(end);
            bool valid = false;
            const qlonglong size
                = line.left(std::max<qsizetype>(0, line.indexOf(';')) > 0 ? line.indexOf(';')
                                                                          : line.size())
                      .trimmed()
                      .toLongLong(&valid, 16);
            if (!valid || size < 0 || size > maxBody)
                return tl::unexpected(std::string("malformed chunk size"));
            if (size == 0 && buffer.size() < end + 4)
                break; // the last chunk's own line end has still to come
            buffer.remove(0, size == 0 ? end + 4 : end + 2);
            m_complete = size == 0;
            m_left = size == 0 ? 0 : size + 2;
            continue;
        }
        if (buffer.isEmpty())
            break;
        const qsizetype size = std::min(m_left, buffer.size());
        body.append(buffer.left(std::max<qsizetype>(0, std::min(size, m_left - 2))));
        buffer.remove(0, size);
        m_left -= size;
    }
    return body;
}

} // namespace headway::simulator
