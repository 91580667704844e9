// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/eventscript.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTcpSocket>
#include <QTimer>

namespace headway::simulator {

// Plays one script in real time: created and in_progress at once, the first output after
// `firstToken`, the rest evenly until `total`. Holds back while the peer reads slowly.
class Responder final : public QObject
{
    Q_OBJECT

public:
    struct Pace
    {
        base::Milliseconds firstToken{0};
        base::Milliseconds total{0};
    };

    Responder(EventScript script, Pace pace, QTcpSocket *socket, QObject *parent);

    // Ends with stopped() after `events` of them.
    void stopAfter(std::size_t events) { m_end = std::min(m_end, events); }
    void start();

    [[nodiscard]] const EventScript &script() const { return m_script; }

Q_SIGNALS:
    void eventDue(const headway::simulator::ScriptEvent &event);
    void finished(); // the terminal event was the last one due
    void stopped(); // stopAfter() was reached

private:
    void play();
    [[nodiscard]] qint64 dueAt(std::size_t event) const; // ms since start()

    EventScript m_script;
    Pace m_pace;
    QPointer<QTcpSocket> m_socket;
    QElapsedTimer m_clock;
    QTimer m_timer;
    std::size_t m_next = 0;
    std::size_t m_end;
};

} // namespace headway::simulator
