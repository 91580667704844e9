// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/bodydecoder.h"

#include "proxy/net/listener/fieldtext.h"
#include "proxy/net/listener/limits.h"

#include <array>
#include <zlib.h>
#include <zstd.h>

namespace headway::net {
namespace {

constexpr std::size_t pieceBytes = std::size_t{32} << 10U;
using Piece = std::array<char, pieceBytes>;

// gzip (also several members) and deflate, which names zlib data but is sent raw by some.
class ZlibDecoder final : public BodyDecoder
{
public:
    ~ZlibDecoder() override
    {
        if (m_started)
            inflateEnd(&m_stream);
    }

    Verdict decode(std::string_view bytes, const Receiver &receive) override
    {
        if (bytes.empty())
            return Verdict::Good;
        if (!m_started && !start(static_cast<unsigned char>(bytes.front())))
            return Verdict::Malformed;
        m_stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data())); // NOLINT
        m_stream.avail_in = static_cast<uInt>(bytes.size());
        Piece piece; // NOLINT: filled by zlib
        do {
            if (m_complete && inflateReset(&m_stream) != Z_OK) // a further gzip member
                return Verdict::Malformed;
            m_complete = false;
            m_stream.next_out = reinterpret_cast<Bytef *>(piece.data()); // NOLINT
            m_stream.avail_out = static_cast<uInt>(piece.size());
            const int result = inflate(&m_stream, Z_NO_FLUSH);
            const std::size_t made = piece.size() - m_stream.avail_out;
            if (made != 0 && !receive({piece.data(), made}))
                return Verdict::Refused;
            if (result == Z_BUF_ERROR)
                break; // wants more input
            if (result != Z_OK && result != Z_STREAM_END)
                return Verdict::Malformed;
            m_complete = result == Z_STREAM_END;
        } while (m_stream.avail_in != 0 || (m_stream.avail_out == 0 && !m_complete));
        return Verdict::Good;
    }

    [[nodiscard]] bool isComplete() const override { return m_complete; }

private:
    bool start(unsigned char first)
    {
        constexpr unsigned char gzipMagic = 0x1f;
        constexpr unsigned methodMask = 0x0f;
        constexpr unsigned deflateMethod = 8;
        constexpr int autoDetect = 32; // added to the window bits: gzip or zlib by its header
        // The method nibble of a zlib header; a raw deflate stream that begins like it would need
        // a stored block with a nonzero padding.
        const bool wrapped = first == gzipMagic || (first & methodMask) == deflateMethod;
        m_started = inflateInit2(&m_stream, wrapped ? MAX_WBITS + autoDetect : -MAX_WBITS) == Z_OK;
        return m_started;
    }

    z_stream m_stream{};
    bool m_started = false;
    bool m_complete = false;
};

class ZstdDecoder final : public BodyDecoder
{
public:
    ZstdDecoder()
        : m_context(ZSTD_createDCtx())
    {
        ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, limits::zstdWindowLog);
    }

    Verdict decode(std::string_view bytes, const Receiver &receive) override
    {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        Piece piece; // NOLINT: filled by zstd
        bool full = false;
        while (in.pos != in.size || full) {
            ZSTD_outBuffer out{piece.data(), piece.size(), 0};
            const std::size_t result = ZSTD_decompressStream(m_context.get(), &out, &in);
            if (out.pos != 0 && !receive({piece.data(), out.pos}))
                return Verdict::Refused;
            if (ZSTD_isError(result) != 0U)
                return Verdict::Malformed;
            m_complete = result == 0;
            full = out.pos == out.size && !m_complete;
        }
        return Verdict::Good;
    }

    [[nodiscard]] bool isComplete() const override { return m_complete; }

private:
    struct Free
    {
        void operator()(ZSTD_DCtx *context) const { ZSTD_freeDCtx(context); }
    };
    std::unique_ptr<ZSTD_DCtx, Free> m_context;
    bool m_complete = false;
};

} // namespace

tl::expected<std::unique_ptr<BodyDecoder>, std::string>
makeBodyDecoder(std::string_view contentEncoding)
{
    std::unique_ptr<BodyDecoder> decoder;
    while (!contentEncoding.empty()) {
        const std::string_view coding = takeElement(contentEncoding);
        if (coding.empty() || equalsIgnoringCase(coding, "identity"))
            continue;
        const bool isZlib = equalsIgnoringCase(coding, "gzip")
            || equalsIgnoringCase(coding, "x-gzip") || equalsIgnoringCase(coding, "deflate");
        if (decoder || (!isZlib && !equalsIgnoringCase(coding, "zstd")))
            return tl::unexpected(std::string{coding.substr(0, 64)});
        if (isZlib)
            decoder = std::make_unique<ZlibDecoder>();
        else
            decoder = std::make_unique<ZstdDecoder>();
    }
    return decoder;
}

} // namespace headway::net
