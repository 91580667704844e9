// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/exportdesk.h"

#include "ui/models/spanfigures.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/chartexport.h"
#include "ui/views/exportdialog.h"
#include "ui/views/report.h"

#include <algorithm>

namespace headway::ui {

namespace {

constexpr int longestSpan = 3'600; // what the charts keep

int spanOf(qint64 sinceMsAgo)
{
    const qint64 seconds = sinceMsAgo / 1'000;
    return seconds <= 0 ? longestSpan
                        : static_cast<int>(std::clamp<qint64>(seconds, 60, longestSpan));
}

} // namespace

ExportDesk::ExportDesk(const SecondRing &ring, const LiveView *live, StatusStrip *status,
                       QWidget *window)
    : QObject(window)
    , m_ring(ring)
    , m_status(status)
    , m_charts(new ChartExport(*live, this))
    , m_window(window)
{
    connect(m_charts, &ChartExport::progressed, this,
            [this](double share) { showProgress(std::nullopt, share); });
    connect(m_charts, &ChartExport::finished, this, &ExportDesk::showResult);
    connect(m_status, &StatusStrip::exportCancelled, this, [this] {
        if (m_charts->isAtWork())
            m_charts->cancel();
        else
            Q_EMIT cancelled();
    });
}

void ExportDesk::ask(const QString &ledgerAt)
{
    if (m_dialog == nullptr) {
        m_dialog = new ExportDialog(m_window);
        connect(m_dialog, &QDialog::accepted, this, &ExportDesk::start);
    }
    m_dialog->setLedgerElsewhere(ledgerAt);
    m_dialog->open(); // not exec(): no second event loop under the proxy
}

void ExportDesk::start()
{
    if (m_isAtWork) {
        m_status->showMessage(false,
                              tr("An export is at work: let it end or cancel it, then try again."));
        return;
    }
    m_isAtWork = true;
    m_status->showMessage(true, tr("Exporting to %1 …").arg(m_dialog->path()));
    if (m_dialog->isOfTheCharts())
        exportCharts(spanOf(m_dialog->sinceMsAgo()));
    else
        Q_EMIT requested(m_dialog->format(), m_dialog->path(), m_dialog->sinceMsAgo());
}

void ExportDesk::exportCharts(int seconds)
{
    if (m_dialog->format() == QLatin1String("png") || !m_newest) {
        m_charts->startPicture(m_dialog->path(), seconds);
        return;
    }
    const auto now = std::chrono::floor<base::Seconds>(m_newest->at).time_since_epoch().count();
    m_charts->startReport(m_dialog->path(), seconds,
                          reportOf(spanFigures(m_ring, now, seconds), *m_newest, {}));
}

void ExportDesk::showProgress(std::optional<quint64> records, double share)
{
    m_status->showExport(records, share);
}

void ExportDesk::showResult(bool ok, const QString &text)
{
    m_isAtWork = false;
    m_status->finishExport();
    m_status->showMessage(ok, text);
}

} // namespace headway::ui
