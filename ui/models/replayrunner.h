// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/replayrequest.h"

#include <QObject>
#include <QThread>
#include <QTimer>

namespace headway::ui {

// Has replays made on a thread of its own. Requests that follow each other quickly become one; one
// is worked on at a time, and what was asked meanwhile replaces it: the result of an overtaken
// request is never told.
class ReplayRunner final : public QObject
{
    Q_OBJECT

public:
    explicit ReplayRunner(QObject *parent = nullptr);
    ~ReplayRunner() override; // waits for the replay at work

    // Before the first request; without one, a ledger cannot be read.
    void setLedgerReader(LedgerReader reader);
    void ask(ReplayRequest request);

    static constexpr int settleMs = 60; // without a further request: then it begins
    static constexpr int patienceMs = 200; // then it says that it is busy

Q_SIGNALS:
    void finished(const headway::ui::ReplayResultPointer &result);
    void busyChanged(bool isBusy); // true only for what takes longer than patienceMs
    void wanted(const headway::ui::ReplayRequestPointer &request); // to the worker

private:
    void begin();
    void take(const ReplayResultPointer &result);
    void startThread();

    LedgerReader m_ledger;
    QThread m_thread;
    QTimer m_settle;
    QTimer m_patience;
    ReplayRequestPointer m_next; // asked, not begun
    bool m_isWorking = false;
    bool m_isBusy = false; // as told
};

} // namespace headway::ui
