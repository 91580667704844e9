// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThread>

#include <memory>

namespace headway::app {

// Exports the ledger beside the running program, on a thread of its own; one export at a time.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    explicit Exporter(QString ledgerPath, QObject *parent = nullptr);
    ~Exporter() override; // waits for the export at work

    // format: "csv" or "jsonl"; sinceMsAgo 0: everything.
    void start(const QString &format, const QString &out, qint64 sinceMsAgo);

Q_SIGNALS:
    void finished(bool ok, const QString &text);

private:
    QString m_ledgerPath;
    std::unique_ptr<QThread> m_thread;
};

} // namespace headway::app
