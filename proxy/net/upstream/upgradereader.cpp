// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upgradereader.h"

#include "proxy/net/upstream/headertext.h"

#include <algorithm>

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

UpgradeReader &readerOf(llhttp_t *parser)
{
    return *static_cast<UpgradeReader *>(parser->data);
}

} // namespace

std::string_view UpgradeReply::header(std::string_view lowerCaseName) const
{
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto &field) {
        return field.first == lowerCaseName;
    });
    return found == headers.end() ? std::string_view{} : std::string_view(found->second);
}

UpgradeReader::UpgradeReader(std::string expectedAccept)
    : m_expectedAccept(std::move(expectedAccept))
{
    llhttp_init(&m_parser, HTTP_RESPONSE, &settings());
    m_parser.data = this;
}

const llhttp_settings_t &UpgradeReader::settings()
{
    static const llhttp_settings_t callbacks = [] {
        llhttp_settings_t result;
        llhttp_settings_init(&result);
        result.on_header_field = onHeaderField;
        result.on_header_value = onHeaderValue;
        result.on_header_value_complete = onHeaderValueComplete;
        result.on_headers_complete = onHeadersComplete;
        result.on_body = onBody;
        result.on_message_complete = onMessageComplete;
        return result;
    }();
    return callbacks;
}

UpgradeReader::Progress UpgradeReader::feed(std::string_view bytes)
{
    if (m_headComplete)
        return judge(llhttp_execute(&m_parser, bytes.data(), bytes.size()), bytes);
    // The head is given to the parser up to its limit only, so that one large piece cannot pass it.
    const std::size_t allowed = std::min(bytes.size(), maxHeadBytes - m_headBytes);
    const std::string_view head = bytes.substr(0, allowed);
    m_headBytes += allowed;
    const Progress progress = judge(llhttp_execute(&m_parser, head.data(), head.size()), bytes);
    if (progress != Progress::NeedMore || allowed == bytes.size()) {
        if (progress == Progress::NeedMore && !m_headComplete && m_headBytes == maxHeadBytes)
            return broken(QStringLiteral("the answer's headers are larger than 64 KiB"));
        return progress;
    }
    if (!m_headComplete)
        return broken(QStringLiteral("the answer's headers are larger than 64 KiB"));
    return feed(bytes.substr(allowed));
}

UpgradeReader::Progress UpgradeReader::finish()
{
    if (m_headComplete && m_reply.status != 101)
        return Progress::Refused;
    return broken(m_headBytes == 0 ? QStringLiteral("the connection ended without an answer")
                                   : QStringLiteral("the connection ended inside the answer"));
}

UpgradeReader::Progress UpgradeReader::judge(llhttp_errno_t result, std::string_view bytes)
{
    if (m_messageComplete || m_bodyFull)
        return Progress::Refused;
    if (result == HPE_OK)
        return Progress::NeedMore;
    if (result == HPE_PAUSED_UPGRADE && m_headComplete) {
        const char *stop = llhttp_get_error_pos(&m_parser);
        m_rest = bytes.substr(static_cast<std::size_t>(stop - bytes.data()));
        return checkSwitch();
    }
    // A body that breaks after a readable refusal does not hide the refusal.
    if (m_headComplete && m_reply.status != 101)
        return Progress::Refused;
    const char *reason = llhttp_get_error_reason(&m_parser);
    return broken(QStringLiteral("the answer is not HTTP/1.1 (%1)")
                      .arg(QString::fromLatin1(reason ? reason : llhttp_errno_name(result))));
}

UpgradeReader::Progress UpgradeReader::checkSwitch()
{
    if (m_parser.http_major != 1 || m_parser.http_minor < 1)
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

int UpgradeReader::onHeaderField(llhttp_t *parser, const char *at, std::size_t length)
{
    readerOf(parser).m_name.append(at, length);
    return 0;
}

int UpgradeReader::onHeaderValue(llhttp_t *parser, const char *at, std::size_t length)
{
    readerOf(parser).m_value.append(at, length);
    return 0;
}

int UpgradeReader::onHeaderValueComplete(llhttp_t *parser)
{
    UpgradeReader &self = readerOf(parser);
    if (!self.m_headComplete) { // not a trailer
        // A folded line arrives with its line break; RFC 9112 section 5.2 asks for a blank.
        std::replace_if(
            self.m_value.begin(), self.m_value.end(), [](char c) { return c == '\r' || c == '\n'; },
            ' ');
        self.m_reply.headers.emplace_back(lowered(self.m_name), trimmed(self.m_value));
    }
    self.m_name.clear();
    self.m_value.clear();
    return 0;
}

int UpgradeReader::onHeadersComplete(llhttp_t *parser)
{
    UpgradeReader &self = readerOf(parser);
    self.m_reply.status = llhttp_get_status_code(parser);
    const int status = self.m_reply.status;
    self.m_headComplete = status == 101 || status >= 200;
    return status == 101 ? 2 : 0; // 2: whatever follows is the other protocol's
}

int UpgradeReader::onBody(llhttp_t *parser, const char *at, std::size_t length)
{
    UpgradeReader &self = readerOf(parser);
    const std::size_t room = maxBodyBytes - self.m_reply.body.size();
    self.m_reply.body.append(at, std::min(length, room));
    self.m_bodyFull = length > room;
    return self.m_bodyFull ? static_cast<int>(HPE_PAUSED) : 0;
}

int UpgradeReader::onMessageComplete(llhttp_t *parser)
{
    UpgradeReader &self = readerOf(parser);
    if (!self.m_headComplete) { // 100 Continue, 103 Early Hints: the answer is still to come
        self.m_reply = {};
        return 0;
    }
    if (self.m_reply.status == 101)
        return 0;
    self.m_messageComplete = true;
    return static_cast<int>(HPE_PAUSED);
}

} // namespace headway::net
