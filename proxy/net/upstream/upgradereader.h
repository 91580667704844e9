// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/upstreamsocket.h"

#include <llhttp.h>
#include <string>
#include <string_view>

namespace headway::net {

// Reads the server's answer, in whatever pieces it comes, strictly. Nothing is asserted of it.
class UpgradeReader final
{
public:
    enum class Progress : std::uint8_t {
        NeedMore,
        Switched, // 101 and everything it must say; frames may follow in rest()
        Refused, // another status; reply() is whole or holds the first 64 KiB of its body
        Broken, // not HTTP, too large, or a 101 that must not be trusted; see error()
    };

    static constexpr std::size_t maxHeadBytes = std::size_t{64} << 10U; // all 1xx heads together
    static constexpr std::size_t maxBodyBytes = std::size_t{64} << 10U;

    explicit UpgradeReader(std::string expectedAccept);
    UpgradeReader(const UpgradeReader &) = delete;
    UpgradeReader &operator=(const UpgradeReader &) = delete;

    [[nodiscard]] Progress feed(std::string_view bytes);
    // The peer is gone, or no more will be waited for: a refusal whose head is whole counts.
    [[nodiscard]] Progress finish();

    [[nodiscard]] const UpgradeReply &reply() const { return m_reply; }
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
    [[nodiscard]] Progress checkSwitch();
    [[nodiscard]] Progress broken(const QString &why);

    llhttp_t m_parser{};
    std::string m_expectedAccept;
    UpgradeReply m_reply;
    std::string m_name;
    std::string m_value;
    std::string_view m_rest;
    QString m_error;
    std::size_t m_headBytes = 0;
    bool m_headComplete = false;
    bool m_messageComplete = false;
    bool m_bodyFull = false;
};

} // namespace headway::net
