// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace headway::ui {

struct Notification
{
    enum class Kind { Upstream, Ledger, Failed, Refused, Rejected, NotListening };

    Kind kind = Kind::Upstream;
    QString title; // what happened
    QString text; // what it means and what to do

    friend bool operator==(const Notification &, const Notification &) = default;
};

// What deserves a desktop notification: trouble that begins, never a turn that ends as it should.
// Each kind speaks once, then keeps quiet for the cool-down; trouble that is still there or came
// again speaks afterwards with all that happened meanwhile.
class Notifier final
{
public:
    static constexpr base::Seconds coolDown{300};

    // To be asked with every snapshot, in order; the first one tells only what is wrong now.
    [[nodiscard]] std::vector<Notification> look(const live::Snapshot &snapshot);

private:
    struct Kept
    {
        std::optional<base::WallTime> saidAt;
        std::uint64_t count = 0; // as of the last time it spoke
        QString state; // as of the last snapshot
    };

    void state(Notification::Kind kind, const QString &trouble, Notification said,
               base::WallTime at, std::vector<Notification> &out);
    void count(Notification::Kind kind, std::uint64_t now, const QString &title,
               const QString &text, base::WallTime at, std::vector<Notification> &out);
    [[nodiscard]] bool maySpeak(const Kept &kept, base::WallTime at) const;

    std::map<Notification::Kind, Kept> m_kept;
    bool m_isFirst = true;
};

} // namespace headway::ui
