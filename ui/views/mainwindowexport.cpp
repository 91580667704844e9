// SPDX-License-Identifier: GPL-3.0-or-later
// Exports that the user asks for: of the ledger by the program, of the charts by the window.
#include "ui/models/spanfigures.h"
#include "ui/panels/linkbar.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/exportdialog.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/report.h"

#include <algorithm>

namespace headway::ui {

namespace {

constexpr int longestSpan = 3'600; // what the charts keep
constexpr QSize pictureSize{1600, 1000};
constexpr QSize pageSize{900, 1000}; // about the dots of the page, so that its texts can be read

int spanOf(qint64 sinceMsAgo)
{
    const qint64 seconds = sinceMsAgo / 1'000;
    return seconds <= 0 ? longestSpan
                        : static_cast<int>(std::clamp<qint64>(seconds, 60, longestSpan));
}

} // namespace

void MainWindow::askForExport()
{
    if (m_export == nullptr) {
        m_export = new ExportDialog(this);
        connect(m_export, &QDialog::accepted, this, &MainWindow::startExport);
    }
    m_export->setLedgerElsewhere(m_link->address());
    m_export->open(); // not exec(): no second event loop under the proxy
}

void MainWindow::startExport()
{
    if (m_export->isOfTheCharts()) {
        exportCharts(m_export->format(), m_export->path(), spanOf(m_export->sinceMsAgo()));
        return;
    }
    m_status->showMessage(true, tr("Exporting to %1 …").arg(m_export->path()));
    Q_EMIT exportRequested(m_export->format(), m_export->path(), m_export->sinceMsAgo());
}

void MainWindow::exportCharts(const QString &format, const QString &path, int seconds)
{
    const bool isPicture = format == QLatin1String("png") || !m_newest;
    const QImage picture = m_live->picture(seconds, isPicture ? pictureSize : pageSize);
    QString trouble;
    if (isPicture) {
        trouble = writePicture(picture, path);
    } else {
        const auto now = std::chrono::floor<base::Seconds>(m_newest->at).time_since_epoch().count();
        trouble
            = writeReport(reportOf(spanFigures(m_ring, now, seconds), *m_newest, picture), path);
    }
    m_status->showMessage(trouble.isEmpty(),
                          trouble.isEmpty() ? tr("Exported to %1.").arg(path) : trouble);
}

void MainWindow::showExportProgress(quint64 records, double share)
{
    m_status->showExport(records, share);
}

void MainWindow::showExportResult(bool ok, const QString &text)
{
    m_status->finishExport();
    m_status->showMessage(ok, text);
}

} // namespace headway::ui
