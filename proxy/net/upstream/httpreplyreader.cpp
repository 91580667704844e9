// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/httpreplyreader.h"

#include "proxy/net/upstream/headertext.h"

#include <algorithm>
#include <utility>

namespace headway::net {

namespace {

HttpReplyReader &readerOf(llhttp_t *parser)
{
    return *static_cast<HttpReplyReader *>(parser->data);
}

} // namespace

std::string_view UpgradeReply::header(std::string_view lowerCaseName) const
{
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto &field) {
        return field.first == lowerCaseName;
    });
    return found == headers.end() ? std::string_view{} : std::string_view(found->second);
}

HttpReplyReader::HttpReplyReader()
{
    llhttp_init(&m_parser, HTTP_RESPONSE, &settings());
    m_parser.data = this;
}

const llhttp_settings_t &HttpReplyReader::settings()
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

HttpReplyReader::Progress HttpReplyReader::feed(std::string_view bytes)
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

HttpReplyReader::Progress HttpReplyReader::finish()
{
    if (m_messageComplete || (m_headComplete && m_head.status != 101 && m_error.isEmpty())) {
        (void)llhttp_finish(&m_parser); // completes a body that only the end ends
        if (m_messageComplete)
            return Progress::Complete;
    }
    return broken(m_headBytes == 0 ? QStringLiteral("the connection ended without an answer")
                                   : QStringLiteral("the connection ended inside the answer"));
}

HttpReplyReader::Progress HttpReplyReader::judge(llhttp_errno_t result, std::string_view bytes)
{
    const auto behind = [&] {
        const char *stop = llhttp_get_error_pos(&m_parser);
        return bytes.substr(static_cast<std::size_t>(stop - bytes.data()));
    };
    if (m_messageComplete) {
        m_rest = result == HPE_PAUSED ? behind() : std::string_view{};
        return Progress::Complete;
    }
    if (result == HPE_OK)
        return Progress::NeedMore;
    if (result == HPE_PAUSED_UPGRADE && m_headComplete) {
        m_rest = behind();
        return Progress::Switched;
    }
    const char *reason = llhttp_get_error_reason(&m_parser);
    return broken(QStringLiteral("the answer is not HTTP/1.1 (%1)")
                      .arg(QString::fromLatin1(reason ? reason : llhttp_errno_name(result))));
}

HttpReplyReader::Progress HttpReplyReader::broken(const QString &why)
{
    m_error = why;
    return Progress::Broken;
}

bool HttpReplyReader::isHttp11() const
{
    return m_parser.http_major == 1 && m_parser.http_minor >= 1;
}

std::string HttpReplyReader::takeBody()
{
    return std::exchange(m_body, {});
}

bool HttpReplyReader::keepsAlive() const
{
    return m_messageComplete && m_keepsAlive;
}

int HttpReplyReader::onHeaderField(llhttp_t *parser, const char *at, std::size_t length)
{
    HttpReplyReader &self = readerOf(parser);
    if (!self.m_headComplete) // trailers are of no use, and of no stated size
        self.m_name.append(at, length);
    return 0;
}

int HttpReplyReader::onHeaderValue(llhttp_t *parser, const char *at, std::size_t length)
{
    HttpReplyReader &self = readerOf(parser);
    if (!self.m_headComplete)
        self.m_value.append(at, length);
    return 0;
}

int HttpReplyReader::onHeaderValueComplete(llhttp_t *parser)
{
    HttpReplyReader &self = readerOf(parser);
    if (self.m_headComplete)
        return 0;
    // A folded line arrives with its line break; RFC 9112 section 5.2 asks for a blank.
    std::replace_if(
        self.m_value.begin(), self.m_value.end(), [](char c) { return c == '\r' || c == '\n'; },
        ' ');
    self.m_head.headers.emplace_back(lowered(self.m_name), trimmed(self.m_value));
    self.m_name.clear();
    self.m_value.clear();
    return 0;
}

int HttpReplyReader::onHeadersComplete(llhttp_t *parser)
{
    HttpReplyReader &self = readerOf(parser);
    self.m_head.status = llhttp_get_status_code(parser);
    const int status = self.m_head.status;
    self.m_headComplete = status == 101 || status >= 200;
    return status == 101 ? 2 : 0; // 2: whatever follows is the other protocol's
}

int HttpReplyReader::onBody(llhttp_t *parser, const char *at, std::size_t length)
{
    readerOf(parser).m_body.append(at, length);
    return 0;
}

int HttpReplyReader::onMessageComplete(llhttp_t *parser)
{
    HttpReplyReader &self = readerOf(parser);
    if (!self.m_headComplete) { // 100 Continue, 103 Early Hints: the answer is still to come
        self.m_head = {};
        return 0;
    }
    if (self.m_head.status == 101)
        return 0;
    self.m_messageComplete = true;
    self.m_keepsAlive = llhttp_should_keep_alive(parser) != 0;
    return static_cast<int>(HPE_PAUSED);
}

} // namespace headway::net
