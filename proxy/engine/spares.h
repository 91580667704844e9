// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/engine/services.h"

#include <QObject>

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

namespace headway::engine {

// Connections opened ahead (spec/heads.md section 7): one at a time, through the pacer, out of
// openings that nobody uses. The pool hands them out and ends them like any other.
class Spares final : public QObject
{
    Q_OBJECT

public:
    explicit Spares(Services &services, QObject *parent = nullptr);

    // `wanted`: the setting. Surplus ones go at once.
    void applySettings(std::size_t wanted, const pacing::PacerSettings &pacing, base::Now now);
    void tick(const pacing::RequestBudget &budget, base::Now now); // once a second
    void stop() { m_wanted = 0; } // no further ones

private:
    void open(const pacing::RequestBudget &budget, base::Now now);
    void dial(pacing::WaiterId waiter, base::Now now);
    void ended(base::ConnectionId id, const net::UpgradeReply &reply);
    void forgetClosed(base::Now now);
    void record(pacing::WaiterId waiter, std::string_view outcome, base::Now now);
    [[nodiscard]] heads::Route route() const;

    Services &m_services;
    std::size_t m_wanted = 0;
    pacing::PacerSettings m_pacing;
    std::map<base::ConnectionId, pacing::WaiterId> m_dialling;
    std::optional<base::SteadyTime> m_pausedUntil; // after a failure
};

} // namespace headway::engine
