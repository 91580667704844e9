// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/parseerror.h"

#include <utility>

namespace headway::net {

Refusal badRequest(std::string message)
{
    return {.status = 400, .message = std::move(message), .headers = {}, .code = "bad_request"};
}

Refusal unknownVersion()
{
    return {.status = 505,
            .message = "Only HTTP/1.1 and HTTP/1.0 are spoken here.",
            .headers = {},
            .code = "http_version"};
}

Refusal explainParseError(llhttp_errno_t error, std::string_view bytes)
{
    constexpr char tlsHandshake = '\x16';
    switch (error) {
    case HPE_INVALID_VERSION:
    case HPE_PAUSED_H2_UPGRADE:
        return unknownVersion();
    case HPE_INVALID_METHOD:
        if (!bytes.empty() && bytes.front() == tlsHandshake)
            return badRequest("This port speaks plain HTTP: use http:// instead of https://.");
        return badRequest("The request does not begin with an HTTP method.");
    case HPE_INVALID_URL:
        return badRequest("The request target is not a valid path or URL.");
    case HPE_INVALID_CONSTANT:
        return badRequest("The request line does not end with an HTTP version.");
    case HPE_INVALID_HEADER_TOKEN:
    case HPE_UNEXPECTED_SPACE:
        return badRequest("A header name or value has a character that is not allowed there.");
    case HPE_INVALID_CONTENT_LENGTH:
        return badRequest("Content-Length is not one decimal number.");
    case HPE_UNEXPECTED_CONTENT_LENGTH:
        return badRequest("The request's length is stated twice: send one Content-Length or "
                          "\"Transfer-Encoding: chunked\", not both.");
    case HPE_INVALID_TRANSFER_ENCODING:
        return badRequest("The only Transfer-Encoding taken is a single \"chunked\".");
    case HPE_INVALID_CHUNK_SIZE:
        return badRequest("A chunk of the body has an invalid size.");
    case HPE_CR_EXPECTED:
    case HPE_LF_EXPECTED:
        return badRequest("A line does not end with CR LF.");
    default:
        return badRequest("The request is not valid HTTP/1.1.");
    }
}

} // namespace headway::net
