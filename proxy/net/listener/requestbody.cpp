// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/requestbody.h"

#include "proxy/net/listener/limits.h"

#include <algorithm>
#include <utility>

namespace headway::net {
namespace {

Refusal tooLarge(std::size_t limit)
{
    const std::string bound = limit % (std::size_t{1} << 20U) == 0
        ? std::to_string(limit >> 20U) + " MiB"
        : std::to_string(limit) + " bytes";
    return {.status = 413,
            .message = "The request body is larger than " + bound
                + " after decoding. Send less, or raise the setting max_body_mib.",
            .headers = {},
            .code = "request_too_large"};
}

Refusal noMemory()
{
    const std::string seconds = std::to_string(limits::retryAfter.count());
    return {.status = 503,
            .message = "All request bodies together have reached the memory limit; retry after "
                + seconds + "s, or raise the setting memory_mib.",
            .headers = {{"retry-after", seconds}},
            .code = "out_of_memory"};
}

Refusal malformed()
{
    return {.status = 400,
            .message = "The request body is not valid data of its Content-Encoding.",
            .headers = {},
            .code = "bad_encoding"};
}

} // namespace

std::optional<Refusal> RequestBody::begin(const RequestHead &head, const Framing &framing,
                                          MemoryBudget &budget, std::size_t limit)
{
    clear();
    m_limit = limit;
    std::string codings;
    for (const auto &[name, value] : head.headers) {
        if (name == "content-encoding")
            codings += (codings.empty() ? "" : ",") + value;
    }
    if (!framing.hasBody())
        return std::nullopt;
    auto decoder = makeBodyDecoder(codings);
    if (!decoder)
        return Refusal{.status = 415,
                       .message = "The Content-Encoding \"" + decoder.error()
                           + "\" is not taken; send one of gzip, deflate, zstd or identity.",
                       .headers = {{"accept-encoding", "gzip, deflate, zstd"}},
                       .code = "unsupported_encoding"};
    m_decoder = std::move(*decoder);
    // A coding may enlarge its data a little, so a coded length above the limit says nothing sure,
    // but one far above it does.
    if (framing.contentLength > (m_decoder ? 2 * limit : limit))
        return tooLarge(limit);
    m_charge = MemoryCharge(budget);
    if (!m_decoder) {
        if (!m_charge.raiseTo(framing.contentLength))
            return noMemory();
        m_text.reserve(framing.contentLength + limits::bodySlack);
    }
    return std::nullopt;
}

bool RequestBody::append(std::string_view bytes)
{
    const std::size_t size = m_text.size() + bytes.size();
    if (size > m_limit)
        m_refusal = tooLarge(m_limit);
    else if (!m_charge.raiseTo(size))
        m_refusal = noMemory();
    if (m_refusal)
        return false;
    if (size + limits::bodySlack > m_text.capacity())
        m_text.reserve(std::max(size, 2 * m_text.size()) + limits::bodySlack);
    m_text += bytes;
    return true;
}

std::optional<Refusal> RequestBody::bodyArrived(std::string_view bytes)
{
    m_received += bytes.size();
    if (!m_decoder) {
        if (!append(bytes))
            return std::exchange(m_refusal, std::nullopt);
        return std::nullopt;
    }
    switch (m_decoder->decode(bytes, [this](std::string_view part) { return append(part); })) {
    case BodyDecoder::Verdict::Good:
        return std::nullopt;
    case BodyDecoder::Verdict::Refused:
        return std::exchange(m_refusal, std::nullopt);
    case BodyDecoder::Verdict::Malformed:
        break;
    }
    return malformed();
}

std::optional<Refusal> RequestBody::end()
{
    if (m_decoder && m_received != 0 && !m_decoder->isComplete())
        return malformed();
    m_decoder.reset();
    return std::nullopt;
}

std::string RequestBody::takeText()
{
    if (m_text.capacity() - m_text.size() < limits::bodySlack)
        m_text.reserve(m_text.size() + limits::bodySlack);
    return std::exchange(m_text, {});
}

void RequestBody::clear()
{
    m_text = {};
    m_decoder.reset();
    m_charge = {};
    m_refusal.reset();
    m_received = 0;
}

} // namespace headway::net
