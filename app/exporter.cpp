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
    cancel();
    if (m_thread)
        m_thread->wait();
}

void Exporter::cancel()
{
    m_isWanted = false;
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
    request.format = store::exportFormatNamed(format).value_or(store::ExportFormat::JsonLines);
    if (sinceMsAgo > 0)
        request.span.since = net::readClock().wall - base::Milliseconds{sinceMsAgo};
    request.progress = [this](quint64 records, double share) {
        Q_EMIT progressed(records, share);
        return m_isWanted.load();
    };
    m_isWanted = true;
    m_thread.reset(QThread::create([this, request = std::move(request)] {
        const auto result = store::exportLedger(request);
        if (result)
            Q_EMIT finished(
                true,
                tr("Exported %n record(s) to %1.", nullptr, static_cast<int>(result->records))
                    .arg(result->files.join(QLatin1String(", "))));
        else if (result.error().code == store::StoreError::Code::Cancelled)
            Q_EMIT finished(true, tr("The export was cancelled; nothing was left behind."));
        else
            Q_EMIT finished(false, result.error().text);
    }));
    m_thread->start();
}

} // namespace headway::app
