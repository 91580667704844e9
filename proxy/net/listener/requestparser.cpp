// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/requestparser.h"

#include "proxy/net/listener/fieldtext.h"
#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/parseerror.h"

#include <algorithm>
#include <utility>

namespace headway::net {
namespace {

constexpr std::size_t usualFieldCount = 32;

} // namespace

// llhttp's callbacks: they only store, count, and pause.
struct RequestParser::Callbacks
{
    static RequestParser &self(llhttp_t *parser)
    {
        return *static_cast<RequestParser *>(parser->data);
    }

    static int url(llhttp_t *parser, const char *at, std::size_t size)
    {
        RequestParser &me = self(parser);
        me.m_head.target.append(at, size);
        if (me.m_head.target.size() > limits::targetBytes)
            return me.stop({.status = 414,
                            .message = "The request target is longer than 8 KiB.",
                            .headers = {},
                            .code = "uri_too_long"});
        return HPE_OK;
    }

    static int field(llhttp_t *parser, const char *at, std::size_t size)
    {
        RequestParser &me = self(parser);
        return (parser->flags & F_TRAILING) != 0 ? me.addOverhead(size) : me.addField({at, size});
    }

    static int fieldComplete(llhttp_t *parser)
    {
        self(parser).m_fieldOpen = false;
        return HPE_OK;
    }

    static int value(llhttp_t *parser, const char *at, std::size_t size)
    {
        RequestParser &me = self(parser);
        if ((parser->flags & F_TRAILING) != 0)
            return me.addOverhead(size);
        if (!me.m_named) // llhttp takes ": value"
            return me.stop(badRequest("A header has no name."));
        me.m_head.headers.back().second.append(at, size);
        return HPE_OK;
    }

    static int valueComplete(llhttp_t *parser)
    {
        RequestParser &me = self(parser);
        if ((parser->flags & F_TRAILING) != 0)
            return HPE_OK;
        if (!std::exchange(me.m_named, false))
            return me.stop(badRequest("A header has no name."));
        std::string &text = me.m_head.headers.back().second;
        text.resize(text.find_last_not_of(" \t") + 1);
        return HPE_OK;
    }

    static int headComplete(llhttp_t *parser)
    {
        self(parser).m_pause = Pause::Head;
        return HPE_PAUSED;
    }

    static int body(llhttp_t *parser, const char *at, std::size_t size)
    {
        RequestParser &me = self(parser);
        if (auto refusal = me.m_body.bodyArrived({at, size}))
            return me.stop(std::move(*refusal));
        return HPE_OK;
    }

    static int extension(llhttp_t *parser, const char *, std::size_t size)
    {
        return self(parser).addOverhead(size);
    }

    static int messageComplete(llhttp_t *parser)
    {
        self(parser).m_pause = Pause::Message;
        return HPE_PAUSED;
    }

    static const llhttp_settings_t &settings()
    {
        static const llhttp_settings_t table = [] {
            llhttp_settings_t made;
            llhttp_settings_init(&made);
            made.on_url = url;
            made.on_header_field = field;
            made.on_header_field_complete = fieldComplete;
            made.on_header_value = value;
            made.on_header_value_complete = valueComplete;
            made.on_headers_complete = headComplete;
            made.on_body = body;
            made.on_chunk_extension_name = extension;
            made.on_chunk_extension_value = extension;
            made.on_message_complete = messageComplete;
            return made;
        }();
        return table;
    }
};

RequestParser::RequestParser(BodySink &body)
    : m_body(body)
{
    llhttp_init(&m_parser, HTTP_REQUEST, &Callbacks::settings());
    m_parser.data = this;
}

void RequestParser::startMessage()
{
    m_head = {};
    m_head.headers.reserve(usualFieldCount);
    m_framing = {};
    m_headBytes = 0;
    m_overhead = 0;
    m_headDone = false;
    m_fieldOpen = false;
    m_named = false;
    m_last = '\0';
}

RequestParser::Step RequestParser::next(std::string_view bytes)
{
    if (m_pause == Pause::Message) {
        if (bytes.empty())
            return {};
        startMessage();
    }
    if (std::exchange(m_pause, Pause::None) != Pause::None)
        llhttp_resume(&m_parser);
    return execute(bytes);
}

RequestParser::Step RequestParser::execute(std::string_view bytes)
{
    const bool inHead = !m_headDone;
    if (inHead) // never more than the limit, so that it does not depend on how the bytes are split
        bytes = bytes.substr(0, limits::headBytes - m_headBytes);

    llhttp_errno_t error = llhttp_execute(&m_parser, bytes.data(), bytes.size());
    std::size_t consumed = bytes.size();
    while (error == HPE_PAUSED_UPGRADE) { // upgrades are decided on by the head, not by llhttp
        consumed = static_cast<std::size_t>(llhttp_get_error_pos(&m_parser) - bytes.data());
        llhttp_resume_after_upgrade(&m_parser);
        error = llhttp_execute(&m_parser, bytes.data() + consumed, bytes.size() - consumed);
        consumed = bytes.size();
    }
    if (error == HPE_PAUSED)
        consumed = static_cast<std::size_t>(llhttp_get_error_pos(&m_parser) - bytes.data());
    else if (error != HPE_OK)
        return fail(m_stopped ? std::move(m_refusal) : explainParseError(error, bytes), consumed);

    if (inHead) {
        m_headBytes += consumed;
        if (auto refusal = checkLines(bytes.substr(0, consumed)))
            return fail(std::move(*refusal), consumed);
    }
    if (m_pause == Pause::Head) {
        m_headDone = true;
        if (auto refusal = closeHead())
            return fail(std::move(*refusal), consumed);
        return {Event::HeadComplete, consumed};
    }
    if (m_pause == Pause::Message)
        return {Event::MessageComplete, consumed};
    if (inHead && m_headBytes >= limits::headBytes)
        return fail({.status = 431,
                     .message = "The request's headers are larger than 64 KiB.",
                     .headers = {},
                     .code = "headers_too_large"},
                    consumed);
    return {Event::NeedMore, consumed};
}

RequestParser::Step RequestParser::fail(Refusal refusal, std::size_t consumed)
{
    m_refusal = std::move(refusal);
    return {Event::Failed, consumed};
}

// What llhttp lets through between lines: a line end without CR, and a line that goes on.
std::optional<Refusal> RequestParser::checkLines(std::string_view headBytes)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    bool folded = m_last == '\n' && !headBytes.empty() && isBlank(headBytes.front());
    for (std::size_t at = headBytes.find('\n'); at != std::string_view::npos;
         at = headBytes.find('\n', at + 1))
    {
        if ((at == 0 ? m_last : headBytes[at - 1]) != '\r')
            return badRequest("A line does not end with CR LF.");
        folded = folded || (at + 1 < headBytes.size() && isBlank(headBytes[at + 1]));
    }
    if (folded)
        return badRequest("A header is folded over several lines, which HTTP/1.1 forbids; send it "
                          "on one line.");
    if (!headBytes.empty())
        m_last = headBytes.back();
    return std::nullopt;
}

std::optional<Refusal> RequestParser::closeHead()
{
    const auto method = static_cast<llhttp_method_t>(llhttp_get_method(&m_parser));
    m_head.method = llhttp_method_name(method);
    if (m_parser.http_major != 1 || m_parser.http_minor > 1)
        return unknownVersion();
    m_head.keepAlive = llhttp_should_keep_alive(&m_parser) != 0;
    m_head.upgrade
        = llhttp_get_upgrade(&m_parser) != 0 && listsToken(m_head.header("upgrade"), "websocket");
    return readFraming();
}

std::optional<Refusal> RequestParser::readFraming()
{
    std::size_t codings = 0;
    for (const auto &[name, value] : m_head.headers) {
        if (name != "transfer-encoding")
            continue;
        if (++codings > 1 || !equalsIgnoringCase(value, "chunked"))
            return badRequest("The only Transfer-Encoding taken is a single \"chunked\".");
    }
    if (codings != 0 && isHttp10())
        return badRequest("HTTP/1.0 has no Transfer-Encoding; send a Content-Length.");
    m_framing.chunked = codings != 0;
    if (!m_framing.chunked)
        m_framing.contentLength = static_cast<std::size_t>(m_parser.content_length);
    return std::nullopt;
}

int RequestParser::stop(Refusal refusal)
{
    m_refusal = std::move(refusal);
    m_stopped = true;
    return HPE_USER;
}

int RequestParser::addField(std::string_view part)
{
    m_named = m_named || !part.empty();
    if (!std::exchange(m_fieldOpen, true)) {
        if (m_head.headers.size() == limits::headerFields)
            return stop({.status = 431,
                         .message = "The request has more than 256 headers.",
                         .headers = {},
                         .code = "headers_too_large"});
        m_head.headers.emplace_back();
    }
    std::string &name = m_head.headers.back().first;
    std::transform(part.begin(), part.end(), std::back_inserter(name), lowerCase);
    return HPE_OK;
}

int RequestParser::addOverhead(std::size_t bytes)
{
    m_overhead += bytes;
    if (m_overhead > limits::chunkOverheadBytes)
        return stop(badRequest("The chunked body has more than 16 KiB of chunk extensions and "
                               "trailers."));
    return HPE_OK;
}

} // namespace headway::net
