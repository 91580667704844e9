// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThread>

#include <atomic>
#include <memory>

namespace headway::app {

// Exports the ledger beside the running program, on a thread of its own; one export at a time.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    explicit Exporter(QString ledgerPath, QObject *parent = nullptr);
    ~Exporter() override; // cancels the export at work

    // format: "csv", "jsonl" or "sqlite"; sinceMsAgo 0: everything.
    void start(const QString &format, const QString &out, qint64 sinceMsAgo);
    void cancel(); // the one at work ends soon and leaves nothing

Q_SIGNALS:
    // Now and then while it works; share: of the whole, 0 to 1.
    void progressed(quint64 records, double share);
    void finished(bool ok, const QString &text);

private:
    QString m_ledgerPath;
    std::unique_ptr<QThread> m_thread;
    std::atomic<bool> m_isWanted = true; // read by the thread at work
};

} // namespace headway::app
