// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exporter.h"

#include "proxy/net/clock.h"
#include "proxy/store/ledgerexport.h"

#include <utility>

namespace headway::app {

Exporter::Exporter(QString ledgerPath, QObject *parent)
    : QObject(parent)
    , m_ledgerPath(std::move(ledgerPath))
{
}

Exporter::~Exporter()
{
    if (m_thread)
        m_thread->wait();
}

void Exporter::start(const QString &format, const QString &out, qint64 sinceMsAgo)
{
    if (m_thread && m_thread->isRunning()) {
        Q_EMIT finished(false, tr("An export is running already."));
        return;
    }
    store::ExportRequest request;
    request.path = m_ledgerPath;
    request.out = out;
    request.format = format == QLatin1String("csv") ? store::ExportFormat::Csv
                                                    : store::ExportFormat::JsonLines;
    if (sinceMsAgo > 0)
        request.span.since = net::readClock().wall - base::Milliseconds{sinceMsAgo};
    m_thread.reset(QThread::create([this, request = std::move(request)] {
        const auto result = store::exportLedger(request);
        if (result)
            Q_EMIT finished(
                true,
                tr("Exported %n record(s) to %1.", nullptr, static_cast<int>(result->records))
                    .arg(result->files.join(QLatin1String(", "))));
        else
            Q_EMIT finished(false, result.error().text);
    }));
    m_thread->start();
}

} // namespace headway::app
