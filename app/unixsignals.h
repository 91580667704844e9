// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace headway::app {

// SIGTERM, SIGINT and SIGHUP as Qt signals on the thread of this object. One per process.
class UnixSignals final : public QObject
{
    Q_OBJECT

public:
    explicit UnixSignals(QObject *parent = nullptr);
    ~UnixSignals() override;

Q_SIGNALS:
    void terminated();
    void hungUp();

private:
    void read();
};

} // namespace headway::app
