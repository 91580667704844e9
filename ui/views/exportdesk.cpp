// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/exportdesk.h"

#include "ui/models/spanfigures.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/exportdialog.h"
#include "ui/views/liveview.h"
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

ExportDesk::ExportDesk(const SecondRing &ring, const LiveView *live, StatusStrip *status,
                       QWidget *window)
    : QObject(window)
    , m_ring(ring)
    , m_live(live)
    , m_status(status)
    , m_window(window)
{
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
    if (m_dialog->isOfTheCharts()) {
        exportCharts(m_dialog->format(), m_dialog->path(), spanOf(m_dialog->sinceMsAgo()));
        return;
    }
    m_status->showMessage(true, tr("Exporting to %1 …").arg(m_dialog->path()));
    Q_EMIT requested(m_dialog->format(), m_dialog->path(), m_dialog->sinceMsAgo());
}

void ExportDesk::exportCharts(const QString &format, const QString &path, int seconds)
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

void ExportDesk::showResult(bool ok, const QString &text)
{
    m_status->finishExport();
    m_status->showMessage(ok, text);
}

} // namespace headway::ui
