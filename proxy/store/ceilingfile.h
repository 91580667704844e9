// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/ceiling.h"

#include <QString>

#include <map>
#include <optional>
#include <string>

namespace headway::store {

// What policy `auto` has learned of each account, kept over a restart: a small JSON file, replaced
// as a whole. An account is named by a hash the caller makes; neither a URL nor a key is stored.
class CeilingFile final
{
public:
    // A file that cannot be read holds nothing: an estimate is learned again.
    explicit CeilingFile(QString path);

    [[nodiscard]] std::optional<pacing::CeilingEstimate> of(const std::string &account) const;
    // By account.
    [[nodiscard]] const std::map<std::string, pacing::CeilingEstimate> &all() const
    {
        return m_estimates;
    }
    // False: it could not be written, and is kept for the next time.
    bool keep(const std::string &account, const pacing::CeilingEstimate &estimate);

private:
    QString m_path;
    std::map<std::string, pacing::CeilingEstimate> m_estimates;
};

} // namespace headway::store
