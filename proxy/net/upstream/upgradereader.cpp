// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upgradereader.h"

#include "proxy/net/upstream/headertext.h"

#include <algorithm>
#include <utility>

namespace headway::net {

namespace {

bool holdsToken(std::string_view list, std::string_view token)
{
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (lowered(trimmed(list.substr(0, comma))) == token)
            return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

} // namespace

UpgradeReader::UpgradeReader(std::string expectedAccept)
    : m_expectedAccept(std::move(expectedAccept))
{
}

UpgradeReader::Progress UpgradeReader::feed(std::string_view bytes)
{
    const HttpReplyReader::Progress progress = m_reader.feed(bytes);
    if (m_reader.hasHead() && m_reply.status == 0)
        m_reply = m_reader.head();
    switch (progress) {
    case HttpReplyReader::Progress::Switched:
        return checkSwitch();
    case HttpReplyReader::Progress::Complete:
        return refusal();
    case HttpReplyReader::Progress::Broken:
        // A body that breaks after a readable refusal does not hide the refusal.
        return m_reader.hasHead() ? refusal() : broken(m_reader.error());
    case HttpReplyReader::Progress::NeedMore:
        break;
    }
    m_reply.body += m_reader.takeBody();
    return m_reply.body.size() > maxBodyBytes ? refusal() : Progress::NeedMore;
}

UpgradeReader::Progress UpgradeReader::finish()
{
    if (m_reader.hasHead() && m_reply.status != 101)
        return refusal();
    (void)m_reader.finish();
    return broken(m_reader.error());
}

UpgradeReader::Progress UpgradeReader::refusal()
{
    m_reply.body += m_reader.takeBody();
    if (m_reply.body.size() > maxBodyBytes)
        m_reply.body.resize(maxBodyBytes);
    return Progress::Refused;
}

UpgradeReader::Progress UpgradeReader::checkSwitch()
{
    if (!m_reader.isHttp11())
        return broken(QStringLiteral("the server switched protocols outside of HTTP/1.1"));
    if (lowered(m_reply.header("upgrade")) != "websocket")
        return broken(QStringLiteral("the server switched to something else than WebSocket"));
    if (!std::any_of(m_reply.headers.begin(), m_reply.headers.end(), [](const auto &field) {
            return field.first == "connection" && holdsToken(field.second, "upgrade");
        }))
        return broken(QStringLiteral("the server's 101 does not say Connection: Upgrade"));
    const auto accepts
        = std::count_if(m_reply.headers.begin(), m_reply.headers.end(),
                        [](const auto &field) { return field.first == "sec-websocket-accept"; });
    if (accepts != 1 || m_reply.header("sec-websocket-accept") != m_expectedAccept)
        return broken(QStringLiteral("the server's Sec-WebSocket-Accept is wrong: it does not "
                                     "answer this handshake"));
    for (const auto &[name, value] : m_reply.headers) {
        if (name == "sec-websocket-extensions" || name == "sec-websocket-protocol")
            return broken(QStringLiteral("the server chose %1 %2, which was not offered")
                              .arg(QString::fromStdString(name), QString::fromStdString(value)));
    }
    return Progress::Switched;
}

UpgradeReader::Progress UpgradeReader::broken(const QString &why)
{
    m_error = why;
    return Progress::Broken;
}

} // namespace headway::net
