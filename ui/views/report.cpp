// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/report.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

#include <algorithm>

namespace headway::ui {

namespace {

struct Reports
{
    Q_DECLARE_TR_FUNCTIONS(Reports)
};

constexpr int dotsPerInch = 150;
constexpr int figureColumns = 3;

QString momentOf(std::int64_t second)
{
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(second),
                              QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QStringList settingLines(const live::Snapshot &snapshot)
{
    QStringList lines;
    for (const char *key : {"policy", "rate_per_min", "rate_pinned", "burst", "spacing_floor_ms",
                            "idle_ms", "total_ms", "retries", "token_floor", "lanes", "spares"})
    {
        const auto found = snapshot.settings.find(key);
        if (found != snapshot.settings.end())
            lines << Reports::tr("%1 %2", "setting, value")
                         .arg(settingName(key), settingText(key, found->second.value));
    }
    return lines;
}

// Draws from the top down and remembers how far it came.
class Page
{
public:
    explicit Page(QPdfWriter &writer)
        : m_painter(&writer)
        , m_room(QPoint(0, 0), QSize(writer.width(), writer.height()))
        , m_small(QStringLiteral("DejaVu Sans"), 9)
    {
    }

    void line(const QString &text, const QFont &font)
    {
        m_painter.setFont(font);
        const QRect used = m_painter.boundingRect(m_room, Qt::TextWordWrap, text);
        m_painter.drawText(m_room, Qt::TextWordWrap, text);
        m_room.setTop(used.bottom() + used.height() / 6 + 8);
    }

    void grid(const std::vector<std::pair<QString, QString>> &cells)
    {
        m_painter.setFont(m_small);
        const int height = QFontMetrics(m_small, m_painter.device()).height() * 3 / 2;
        const int width = m_room.width() / figureColumns;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto column = static_cast<int>(i) % figureColumns;
            const auto row = static_cast<int>(i) / figureColumns;
            const QRect cell(m_room.left() + column * width, m_room.top() + row * height,
                             width * 15 / 16, height);
            m_painter.drawText(cell, Qt::AlignLeft | Qt::AlignVCenter, cells[i].first);
            m_painter.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, cells[i].second);
        }
        const auto rows = static_cast<int>((cells.size() + figureColumns - 1) / figureColumns);
        m_room.setTop(m_room.top() + rows * height + height / 2);
    }

    void picture(const QImage &image, int keepBelow)
    {
        if (image.isNull())
            return;
        QSize size = image.size();
        size.scale(m_room.width(), std::max(1, m_room.height() - keepBelow), Qt::KeepAspectRatio);
        m_painter.drawImage(QRect(m_room.topLeft(), size), image);
        m_room.setTop(m_room.top() + size.height() + 12);
    }

    [[nodiscard]] const QFont &small() const { return m_small; }
    [[nodiscard]] QFont sized(int points) const
    {
        QFont font = m_small;
        font.setPointSize(points);
        return font;
    }

private:
    QPainter m_painter;
    QRect m_room; // what is left
    QFont m_small;
};

QString finished(QSaveFile &file, const IsWanted &isWanted)
{
    if (isWanted && !isWanted()) {
        file.cancelWriting();
        return {};
    }
    return file.commit() ? QString()
                         : Reports::tr("%1 was not written: %2. Choose another file or make room.")
                               .arg(file.fileName(), file.errorString());
}

} // namespace

Report reportOf(const SpanFigures &f, const live::Snapshot &snapshot, const QImage &charts)
{
    Report report;
    report.title = Reports::tr("Headway report");
    report.span = Reports::tr("%1 to %2 on %3; %4 of %5 seconds are known.")
                      .arg(momentOf(f.from), momentOf(f.to), text(snapshot.upstream))
                      .arg(f.reported)
                      .arg(f.to - f.from);
    const auto waited = f.longestWaitMs ? duration(*f.longestWaitMs) : unknown();
    report.figures = {{Reports::tr("turns started"), count(f.started)},
                      {Reports::tr("completed"), count(f.completed)},
                      {Reports::tr("failed"), count(f.failed)},
                      {Reports::tr("continued"), count(f.continued)},
                      {Reports::tr("on a lane or spare"), count(f.laneOrSpare)},
                      {Reports::tr("refused by Headway"), count(f.refused)},
                      {Reports::tr("opened at once"), count(f.openedAtOnce)},
                      {Reports::tr("opened after a wait"), count(f.openedAfterWait)},
                      {Reports::tr("rejected by the provider"), count(f.rejections)},
                      {Reports::tr("most opened in a minute"), count(f.mostOpenedInAMinute)},
                      {Reports::tr("longest wait"), waited},
                      {Reports::tr("cache warnings"), count(f.warnings)},
                      {Reports::tr("heads reused"), percent(f.reuse)},
                      {Reports::tr("prompt tokens cached"), percent(f.cached)},
                      {Reports::tr("prompt tokens"), count(f.inputTokens)}};
    report.settings = settingLines(snapshot);
    report.charts = charts;
    return report;
}

QString writeReport(const Report &report, const QString &path, const IsWanted &isWanted)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return Reports::tr("%1 cannot be written: %2. Choose another file.")
            .arg(path, file.errorString());
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    {
        QPdfWriter writer(&file);
        writer.setTitle(report.title);
        writer.setResolution(dotsPerInch);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(15, 15, 15, 15), QPageLayout::Millimeter);
        Page page(writer);
        page.line(report.title, page.sized(18));
        page.line(report.span, page.small());
        page.grid(report.figures);
        page.picture(report.charts, dotsPerInch);
        page.line(
            Reports::tr("Settings in force: %1").arg(report.settings.join(QStringLiteral(" · "))),
            page.small());
    }
    return finished(file, isWanted);
}

QString writePicture(const QImage &picture, const QString &path, const IsWanted &isWanted)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return Reports::tr("%1 cannot be written: %2. Choose another file.")
            .arg(path, file.errorString());
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    if (picture.isNull() || !picture.save(&file, "PNG")) {
        file.cancelWriting();
        return Reports::tr("There is no picture yet: nothing was reported.");
    }
    return finished(file, isWanted);
}

} // namespace headway::ui
