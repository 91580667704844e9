// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/pacer.h"
#include "proxy/store/ceilingfile.h"

#include <QString>

#include <optional>
#include <string>

namespace headway::engine {

// Carries what policy `auto` has learned of this account over a restart (spec/pacing.md section 7).
class CeilingKeeper final
{
public:
    // `account` names endpoint and account without giving them away.
    CeilingKeeper(const QString &path, std::string account);

    void recall(pacing::Pacer &pacer, base::Now now) const;
    // At most once a minute, unless it is the last time.
    void keep(const pacing::Pacer &pacer, base::Now now, bool last);

private:
    store::CeilingFile m_file;
    std::string m_account;
    std::optional<base::SteadyTime> m_keptAt;
};

} // namespace headway::engine
