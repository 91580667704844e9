// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headway::store {

// The installation's secret: 32 random bytes, made at first start, 0600. What is persisted or sent
// upstream about a session or an item is an HMAC-SHA256 with it, so that short prompts and ids
// cannot be guessed (spec/ledger.md). The uses are kept apart: equal inputs give unrelated
// outputs. One thread per object.
class InstallKey final
{
public:
    // Reads the key, or makes it. Where neither can be done, a key for this run alone: tags then
    // do not match those of other runs. A file that is not a key is set aside, never overwritten.
    [[nodiscard]] static InstallKey load(const QString &path);

    InstallKey(InstallKey &&) = default;
    InstallKey &operator=(InstallKey &&) = default;
    InstallKey(const InstallKey &) = delete;
    InstallKey &operator=(const InstallKey &) = delete;
    ~InstallKey() = default;

    // What a person should know about how the key came about; empty: nothing.
    [[nodiscard]] const QString &notice() const { return m_notice; }

    // 12 hex digits for a session or agent id, for records and the window; empty for an empty id.
    // The last few hundred are remembered.
    [[nodiscard]] std::string tag(std::string_view id);

    // "hw-" + 32 hex digits: the prompt_cache_key sent upstream for a session. Remembered too.
    [[nodiscard]] std::string cacheKey(std::string_view session);

    // "hw-" + 32 hex digits: the safety_identifier sent upstream for a client's user. Remembered.
    [[nodiscard]] std::string userId(std::string_view user);

    // 16 hex digits for an item or a partition, where a hash is recorded.
    [[nodiscard]] std::string hash(std::string_view bytes) const;

private:
    explicit InstallKey(QByteArray secret, QString notice = {});
    [[nodiscard]] std::string remembered(std::string_view use, std::string_view id,
                                         std::size_t digits);
    [[nodiscard]] std::string hmacHex(std::string_view use, std::string_view bytes,
                                      std::size_t digits) const;

    using Recent
        = std::list<std::pair<std::string, std::string>>; // use and id, answer; latest first

    QByteArray m_secret;
    QString m_notice;
    Recent m_recent;
    std::unordered_map<std::string_view, Recent::iterator> m_known; // keys lie in m_recent
};

} // namespace headway::store
