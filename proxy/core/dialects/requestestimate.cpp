// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/imagesize.h"
#include "proxy/core/dialects/messages/contextedits.h"
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/requestbody.h"
#include "proxy/core/dialects/tokenestimate.h"
#include "proxy/core/json/literal.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headway::dialects {

namespace {

using json::Value;

// Frame around each message, item and tool.
constexpr double perMessage = 4;
constexpr double perTool = 8;
// Anthropic's rule: pixels / 750, at most what a picture of 1568 x 1568 costs after scaling down.
constexpr double pixelsPerToken = 750;
constexpr double largestImage = 1600;
constexpr double documentBytesPerToken = 30; // a page is some 50 KiB and 1 500 to 3 000 tokens
constexpr double blobBytesPerToken = 6; // encrypted reasoning: base64 of what held the tokens

// A sampled text: the first bytes of each stretch stand for the rest of it.
constexpr std::size_t shortText = 1024;
constexpr std::size_t stretch = 4096;
constexpr std::size_t sampleSize = 128;
// A long history: past so many sampled bytes, only every eighth text is looked at, and the others
// are taken to be like what was seen.
constexpr double enoughSampled = 4 << 10;
constexpr unsigned sparse = 8;

// Members that say how things belong together, not what the model reads.
constexpr std::array<std::string_view, 13> silent{
    "type",   "id",    "call_id",    "tool_use_id", "cache_control", "signature",   "tool_call_id",
    "status", "phase", "media_type", "detail",      "is_error",      "annotations",
};

class RequestEstimator final
{
public:
    explicit RequestEstimator(Care care)
        : m_care(care)
    {
    }

    double request(const Value &root)
    {
        double tokens = 3;
        for (const std::string_view name : {"system", "instructions"})
            tokens += content(root[name]);
        for (const std::string_view name : {"messages", "input"}) {
            if (root[name].isString())
                tokens += content(root[name]);
            for (const Value &message : root[name])
                tokens += perMessage + content(message);
        }
        for (const Value &tool : root["tools"])
            tokens += perTool + text(tool.raw());
        return tokens;
    }

    double content(const Value &value)
    {
        switch (value.kind()) {
        case json::Kind::String:
            return string(value.body());
        case json::Kind::Array: {
            double tokens = 0;
            for (const Value &element : value)
                tokens += content(element);
            return tokens;
        }
        case json::Kind::Object:
            return object(value);
        default:
            return 0;
        }
    }

private:
    double object(const Value &value)
    {
        const Value type = value["type"];
        if (type.is("image"))
            return image(value["source"]["data"].body());
        if (type.is("input_image"))
            return image(afterComma(value["image_url"].body()));
        if (type.is("image_url"))
            return image(afterComma(value["image_url"]["url"].body()));
        if (type.is("file"))
            return size(value["file"]["file_data"]) / documentBytesPerToken;
        if (type.is("document") && value["source"]["type"].is("base64"))
            return size(value["source"]["data"]) / documentBytesPerToken;
        if (type.is("input_file"))
            return size(value["file_data"]) / documentBytesPerToken;
        if (type.is("reasoning"))
            return size(value["encrypted_content"]) / blobBytesPerToken;
        if (type.is("tool_use"))
            return perMessage + text(value["name"].body()) + text(value["input"].raw());
        double tokens = 0;
        for (const Value &member : value) {
            const bool isSilent = std::any_of(silent.begin(), silent.end(),
                                              [&](std::string_view n) { return member.keyIs(n); });
            if (!isSilent)
                tokens += content(member);
        }
        return tokens;
    }

    static double size(const Value &value) { return static_cast<double>(value.body().size()); }

    static std::string_view afterComma(std::string_view url)
    {
        const std::size_t comma = url.find(',');
        return comma == std::string_view::npos ? std::string_view() : url.substr(comma + 1);
    }

    static double image(std::string_view base64)
    {
        const auto size = imageSize(base64);
        if (!size)
            return largestImage;
        return std::min(largestImage,
                        static_cast<double>(size->first) * size->second / pixelsPerToken);
    }

    // Counted as the model reads it: without its escapes. Of a long one only the samples are
    // unescaped; what an escape cut in two adds is lost in the estimate.
    double string(std::string_view body)
    {
        if (m_care == Care::Exact)
            return estimateTokens(plain(body));
        return sampled(body, [this](std::string_view piece) { return plain(piece); });
    }

    std::string_view plain(std::string_view body)
    {
        if (body.find('\\') == std::string_view::npos)
            return body;
        m_scratch.clear();
        json::BodyDecoder decoder;
        decoder.append(m_scratch, body);
        decoder.finish(m_scratch);
        return m_scratch;
    }

    double text(std::string_view text)
    {
        if (m_care == Care::Exact)
            return estimateTokens(text);
        return sampled(text, [](std::string_view piece) { return piece; });
    }

    // What the samples, put through `read`, hold, extended to the whole.
    template <typename Read>
    double sampled(std::string_view text, Read read)
    {
        const auto size = static_cast<double>(text.size());
        if (m_sampled >= enoughSampled && m_texts++ % sparse != 0)
            return size * m_found / m_sampled;
        if (text.size() <= shortText) {
            const double tokens = estimateTokens(read(text));
            m_sampled += size;
            m_found += tokens;
            return tokens;
        }
        double tokens = 0;
        double seen = 0;
        for (std::size_t at = 0; at + sampleSize <= text.size(); at += stretch) {
            tokens += estimateTokens(read(text.substr(at, sampleSize)));
            seen += sampleSize;
        }
        m_sampled += seen;
        m_found += tokens;
        return tokens * size / seen;
    }

    Care m_care;
    std::string m_scratch;
    double m_sampled = 0; // bytes
    double m_found = 0; // tokens in them
    unsigned m_texts = 0;
};

} // namespace

std::uint64_t estimateRequest(json::Value request, Care care)
{
    return static_cast<std::uint64_t>(std::ceil(RequestEstimator(care).request(request)));
}

std::uint64_t estimateContent(json::Value content)
{
    return static_cast<std::uint64_t>(std::llround(RequestEstimator(Care::Exact).content(content)));
}

tl::expected<std::uint64_t, TurnError> countTokens(std::string_view body)
{
    json::Document document;
    if (auto error = readBody(document, body))
        return tl::make_unexpected(std::move(*error));
    if (!document.root()["messages"].isArray()) {
        TurnError error;
        error.kind = ErrorKind::InvalidRequest;
        error.type = "invalid_request_error";
        error.param = "messages";
        error.message = "messages: expected an array";
        return tl::make_unexpected(std::move(error));
    }
    Complaint complaint;
    const ContextEdits edits = readContextEdits(document.root(), complaint);
    if (complaint.error())
        return tl::make_unexpected(*complaint.error());
    const std::uint64_t whole = estimateRequest(document.root(), Care::Exact);
    return whole - std::min(whole, edits.savedTokens());
}

} // namespace headway::dialects
