// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <cstdint>

namespace headway::app {

// What the demo shows: a few agents that work on for ever, and a fan-out every now and then.
class DemoAgents final : public QObject
{
    Q_OBJECT

public:
    explicit DemoAgents(QObject *parent = nullptr);

    void start(quint16 port);

private:
    void steady();
    void fanOut();

    QTimer m_next;
    quint16 m_port = 0;
    std::uint64_t m_round = 0;
};

} // namespace headway::app
