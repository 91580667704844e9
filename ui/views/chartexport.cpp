// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chartexport.h"

#include "ui/views/chartpicture.h"

#include <utility>

namespace headway::ui {

namespace {

constexpr QSize pictureSize{1600, 1000};
constexpr QSize pageSize{900, 1000}; // about the dots of the page, so that its texts can be read
constexpr double painted = 0.7; // of the whole

} // namespace

ChartExport::ChartExport(const LiveView &view, QObject *parent)
    : QObject(parent)
    , m_view(view)
{
}

ChartExport::~ChartExport()
{
    cancel();
    if (m_thread)
        m_thread->wait();
}

void ChartExport::startPicture(const QString &path, int seconds)
{
    start(path, seconds, pictureSize, [this, path](const QImage &charts) {
        return writePicture(charts, path, [this] { return mayKeep(); });
    });
}

void ChartExport::startReport(const QString &path, int seconds, const Report &report)
{
    start(path, seconds, pageSize, [this, path, report](const QImage &charts) {
        Report whole = report;
        whole.charts = charts;
        return writeReport(whole, path, [this] { return mayKeep(); });
    });
}

void ChartExport::start(const QString &path, int seconds, const QSize &size, Writer writer)
{
    m_path = path;
    m_writer = std::move(writer);
    m_fate = Fate::Open;
    m_isAtWork = true;
    m_picture = std::make_unique<ChartPicture>(m_view, seconds, size);
    connect(m_picture.get(), &ChartPicture::progressed, this,
            [this](double share) { Q_EMIT progressed(share * painted); });
    connect(m_picture.get(), &ChartPicture::finished, this, &ChartExport::write);
    m_picture->start();
}

void ChartExport::cancel()
{
    Fate open = Fate::Open;
    m_fate.compare_exchange_strong(open, Fate::Cancelled);
    if (!m_picture)
        return;
    m_picture.reset();
    end({});
}

bool ChartExport::mayKeep()
{
    Fate open = Fate::Open;
    return m_fate.compare_exchange_strong(open, Fate::Kept);
}

// Packing a picture takes longer than painting it.
void ChartExport::write(const QImage &charts)
{
    m_picture.release()->deleteLater(); // it is still talking
    m_thread.reset(QThread::create([this, charts] {
        const QString trouble = m_writer(charts);
        QMetaObject::invokeMethod(this, [this, trouble] { end(trouble); });
    }));
    m_thread->setObjectName(QStringLiteral("export"));
    m_thread->start();
}

void ChartExport::end(const QString &trouble)
{
    if (m_thread) {
        m_thread->wait();
        m_thread.reset();
    }
    m_isAtWork = false;
    if (m_fate == Fate::Cancelled)
        Q_EMIT finished(true, tr("The export was cancelled; nothing was left behind."));
    else
        Q_EMIT finished(trouble.isEmpty(),
                        trouble.isEmpty() ? tr("Exported to %1.").arg(m_path) : trouble);
}

} // namespace headway::ui
