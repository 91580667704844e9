// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/httpreply.h"

#include <QString>

#include <cstdint>
#include <llhttp.h>
#include <string>
#include <string_view>

namespace headway::net {

// Reads one HTTP/1.1 answer of a server, in whatever pieces it comes, strictly: interim answers are
// skipped, the head is kept, the body is handed on as it comes. Nothing is asserted of it.
class HttpReplyReader final
{
public:
    enum class Progress : std::uint8_t {
        NeedMore,
        Switched, // 101; the other protocol follows in rest()
        Complete, // head and body are whole; rest() does not belong to it
        Broken, // not HTTP, or larger headers than maxHeadBytes; see error()
    };

    static constexpr std::size_t maxHeadBytes = std::size_t{64} << 10U; // all 1xx heads together

    HttpReplyReader();
    HttpReplyReader(const HttpReplyReader &) = delete;
    HttpReplyReader &operator=(const HttpReplyReader &) = delete;

    [[nodiscard]] Progress feed(std::string_view bytes);
    // The peer is gone. Complete: that is how this body ends (no length was stated).
    [[nodiscard]] Progress finish();

    [[nodiscard]] bool hasHead() const { return m_headComplete; }
    [[nodiscard]] bool isUntouched() const { return m_headBytes == 0; } // nothing came yet
    // Status and headers; the body stays empty.
    [[nodiscard]] const UpgradeReply &head() const { return m_head; }
    [[nodiscard]] bool isHttp11() const; // or a later 1.x
    // What came of the body since the last call, decoded.
    [[nodiscard]] std::string takeBody();
    // Another request may follow on the connection. After Complete.
    [[nodiscard]] bool keepsAlive() const;
    [[nodiscard]] std::string_view rest() const { return m_rest; } // into the bytes fed last
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    static const llhttp_settings_t &settings();
    static int onHeaderField(llhttp_t *parser, const char *at, std::size_t length);
    static int onHeaderValue(llhttp_t *parser, const char *at, std::size_t length);
    static int onHeaderValueComplete(llhttp_t *parser);
    static int onHeadersComplete(llhttp_t *parser);
    static int onBody(llhttp_t *parser, const char *at, std::size_t length);
    static int onMessageComplete(llhttp_t *parser);

    [[nodiscard]] Progress judge(llhttp_errno_t result, std::string_view bytes);
    [[nodiscard]] Progress broken(const QString &why);

    llhttp_t m_parser{};
    UpgradeReply m_head;
    std::string m_body;
    std::string m_name;
    std::string m_value;
    std::string_view m_rest;
    QString m_error;
    std::size_t m_headBytes = 0;
    bool m_headComplete = false;
    bool m_messageComplete = false;
    bool m_keepsAlive = false;
};

} // namespace headway::net
