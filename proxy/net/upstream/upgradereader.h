// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/httpreplyreader.h"

#include <string>
#include <string_view>

namespace headway::net {

// Reads the server's answer to an opening handshake, in whatever pieces it comes, strictly.
class UpgradeReader final
{
public:
    enum class Progress : std::uint8_t {
        NeedMore,
        Switched, // 101 and everything it must say; frames may follow in rest()
        Refused, // another status; reply() is whole or holds the first 64 KiB of its body
        Broken, // not HTTP, too large, or a 101 that must not be trusted; see error()
    };

    static constexpr std::size_t maxBodyBytes = std::size_t{64} << 10U;

    explicit UpgradeReader(std::string expectedAccept);

    [[nodiscard]] Progress feed(std::string_view bytes);
    // The peer is gone, or no more will be waited for: a refusal whose head is whole counts.
    [[nodiscard]] Progress finish();

    [[nodiscard]] const UpgradeReply &reply() const { return m_reply; }
    [[nodiscard]] std::string_view rest() const
    {
        return m_reader.rest();
    } // into the bytes fed last
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    [[nodiscard]] Progress refusal();
    [[nodiscard]] Progress checkSwitch();
    [[nodiscard]] Progress broken(const QString &why);

    HttpReplyReader m_reader;
    std::string m_expectedAccept;
    UpgradeReply m_reply;
    QString m_error;
};

} // namespace headway::net
