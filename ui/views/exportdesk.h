// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/secondring.h"

#include <QObject>

#include <optional>

class QWidget;

namespace headway::ui {

class ChartExport;
class ExportDialog;
class LiveView;
class StatusStrip;

// Takes what a person wants exported: the ledger is the program's to export, the charts are
// exported here.
class ExportDesk final : public QObject
{
    Q_OBJECT

public:
    // All of them outlive it.
    ExportDesk(const SecondRing &ring, const LiveView *live, StatusStrip *status, QWidget *window);

    // ledgerAt: address of the proxy that has the ledger; empty: it is here.
    void ask(const QString &ledgerAt);
    void follow(const live::SnapshotPointer &snapshot) { m_newest = snapshot; }
    void showProgress(std::optional<quint64> records, double share);

public Q_SLOTS:
    void showResult(bool ok, const QString &text);

Q_SIGNALS:
    void cancelled(); // the one that was requested
    // format: "csv", "jsonl" or "sqlite"; sinceMsAgo 0: everything.
    void requested(const QString &format, const QString &path, qint64 sinceMsAgo);

private:
    void start();
    void exportCharts(int seconds);

    const SecondRing &m_ring;
    StatusStrip *m_status;
    ChartExport *m_charts;
    QWidget *m_window;
    ExportDialog *m_dialog = nullptr;
    live::SnapshotPointer m_newest;
    bool m_isAtWork = false; // one at a time, of whichever kind
};

} // namespace headway::ui
