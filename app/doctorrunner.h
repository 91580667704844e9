// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/doctorstate.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace headway::app {

// Runs "headway doctor" for the window, one at a time, in a process of its own: a look may wait
// long for the network, and must not keep the window from ending.
class DoctorRunner final : public QObject
{
    Q_OBJECT

public:
    // settings: "key=value", as --set takes them. They go by the environment, which others of this
    // machine cannot see.
    DoctorRunner(QString program, const QStringList &settings, QObject *parent = nullptr);
    ~DoctorRunner() override;

public Q_SLOTS:
    void start();

Q_SIGNALS:
    void moved(const headway::ui::DoctorState &state);

private:
    void ended(int status, QProcess::ExitStatus how);
    void fail(const QString &reason);

    QString m_program;
    QProcess m_process;
    QTimer m_patience;
};

// What "headway doctor --json" prints; empty where that is something else.
[[nodiscard]] std::vector<ui::Finding> readFindings(const QByteArray &json);

} // namespace headway::app
