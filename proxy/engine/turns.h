// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/turn/deadlineheap.h"
#include "proxy/engine/services.h"
#include "proxy/engine/turnrun.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <unordered_map>
#include <vector>

namespace headway::engine {

// All turns in flight behind one timer: it fires for whatever comes first of a pacer departure, a
// turn's deadline and the expiry of an idle head.
class Turns final : public QObject
{
    Q_OBJECT

public:
    explicit Turns(Services &services, QObject *parent = nullptr);
    ~Turns() override;

    TurnRun &begin(TurnRun::Start start);
    void tick(base::Now now); // once a second
    void pacerChanged(); // departures may be due or may have moved
    void pacerMoved(); // the same from within what a turn does: looked at soon, not at once
    void probeAnswered(); // it is known whether there are lanes
    // Those who are held from now on leave the pacer's queue, those who are not any more ask it.
    void holdsChanged();
    void moveToFront(base::TurnId turn);
    // Ends a turn that waits for its admission, a backoff or the gate; any other is left alone.
    void cancelWaiting(base::TurnId turn, const dialects::TurnError &error, base::Now now);
    void abandonAll(const dialects::TurnError &error, base::Now now);

    [[nodiscard]] std::size_t size() const { return m_runs.size(); }
    [[nodiscard]] std::vector<live::TurnRow> rows(base::Now now) const;

Q_SIGNALS:
    void emptied();

private:
    void pump();
    void wakeWaiting(const std::vector<heads::ExpectedWaits::Woken> &woken);
    void freed(heads::HeadId head);
    void releaseAdvances();
    void fillRoom();
    void arm();
    void remove(base::TurnId turn);

    Services &m_services;
    std::unordered_map<base::TurnId, TurnRun *> m_runs;
    std::unordered_map<pacing::WaiterId, base::TurnId> m_waiters;
    turn::DeadlineHeap m_heap;
    QTimer m_timer;
    std::optional<base::SteadyTime> m_armedFor;
    bool m_pumping = false;
};

} // namespace headway::engine
