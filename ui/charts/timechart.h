// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/areas.h"
#include "ui/charts/chartcolors.h"

#include <QChartView>
#include <QPen>
#include <QPolygonF>

#include <optional>
#include <vector>

class QValueAxis;

namespace headway::ui {

// Space around every plot, from the font, so that the charts' time axes line up.
[[nodiscard]] QMarginsF plotMargins(const QFontMetricsF &metrics);

// A settings change on the time axis.
struct TimeMark
{
    double at = 0; // unix seconds
    QString label;
};

// What the settings say about a chart: reference lines.
struct References
{
    double burst = 0;
    double ratePerMinute = 0;
    bool hasBucket = true; // policy bucket: its level is what matters
};

struct LegendItem
{
    enum class Shape { Fill, Line, Dashes, Dots, Diamond, Triangle };

    Shape shape;
    QBrush brush;
    QString name;
    QString widest; // value: room is kept for it, so that nothing moves
};

// What all charts are drawn from; built once a frame.
struct ChartFrame
{
    const std::vector<Column> &columns;
    Span span;
    const std::vector<TimeMark> &marks;
    References references;
};

// One chart of the shared time axis: Qt Charts draws frame and areas, this class the things that
// need gaps (lines), signs (symbols, marks) and the crosshair. x is seconds before the right edge.
class TimeChart : public QChartView
{
    Q_OBJECT

public:
    // name: for assistive tools, and the title.
    TimeChart(const QString &name, QWidget *parent);

    void draw(const ChartFrame &frame);
    void setCrosshair(std::optional<double> at); // unix seconds

    [[nodiscard]] virtual std::vector<LegendItem> legend() const = 0;
    // One text per legend item; the column is null where nothing is known.
    [[nodiscard]] virtual std::vector<QString> readout(const Column *column) const = 0;

    [[nodiscard]] const ChartColors &colors() const { return m_colors; }
    [[nodiscard]] int drawings() const { return m_drawings; } // how often it was drawn, for tests

    // Where the time lies in the widget, and back; plot area only.
    [[nodiscard]] double pixelOf(double at) const;
    [[nodiscard]] std::optional<double> timeOf(double pixel) const;

Q_SIGNALS:
    void hovered(std::optional<double> at); // unix seconds; nothing: left
    void tableRequested(); // by key
    void recolored();

protected:
    // A line with gaps, in the coordinates of the left axis.
    struct Track
    {
        QPen pen;
        bool dots = false;
        std::vector<QPolygonF> runs;
    };
    struct Symbol
    {
        double x; // seconds before the right edge
        LegendItem::Shape shape;
        QColor color;
    };
    struct Reference
    {
        double y;
    };

    virtual void rebuild(const ChartFrame &frame) = 0; // areas, tracks, symbols, ranges
    virtual void recolor() = 0; // brushes and pens from colors()
    // A tick of the left or right axis with its unit.
    [[nodiscard]] virtual QString leftLabel(double value) const;
    [[nodiscard]] virtual QString rightLabel(double value) const;

    using Value = std::optional<double> (*)(const Column &);
    void traceSteps(Track &track, const ChartFrame &frame, Value value) const;
    void setRange(QValueAxis *axis, double low, double high, double interval);
    [[nodiscard]] static double niceTop(double value); // 1, 2, 4, 6, 10, 20 …: halves are whole

    [[nodiscard]] QValueAxis *timeAxis() const { return m_time; }
    [[nodiscard]] QValueAxis *leftAxis() const { return m_left; }
    QValueAxis *addRightAxis();

    std::vector<Track> m_tracks;
    std::vector<Symbol> m_symbols;
    std::vector<Reference> m_references;

    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void adoptPalette();
    void adoptFont();
    void placePlot();
    void styleAxis(QValueAxis *axis);
    [[nodiscard]] QPointF pixel(double x, double y) const;
    void paintLabels(QPainter &painter, const QValueAxis &axis, bool isLeft) const;
    void paintTracks(QPainter &painter) const;
    void paintReferences(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;
    void paintSymbols(QPainter &painter) const;

    QValueAxis *m_time;
    QValueAxis *m_left;
    QValueAxis *m_right = nullptr;
    ChartColors m_colors;
    Span m_span;
    std::vector<TimeMark> m_marks;
    std::optional<double> m_crosshair;
    int m_drawings = 0;
};

} // namespace headway::ui
