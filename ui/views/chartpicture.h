// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QTimer>

#include <memory>

namespace headway::ui {

class ChartStack;
class LiveView;

// The charts of the last seconds on a light ground, painted a chart at a time between the window's
// own frames. In a stack of its own: what is on the screen keeps its span and its crosshair.
class ChartPicture final : public QObject
{
    Q_OBJECT

public:
    // The view outlives it.
    ChartPicture(const LiveView &view, int seconds, const QSize &size, QObject *parent = nullptr);
    ~ChartPicture() override;

    void start(); // finished() comes later; deleting it gives it up

Q_SIGNALS:
    void progressed(double share); // 0 to 1
    void finished(const QImage &image); // null before the first snapshot

private:
    void step();
    void paint(std::size_t part);

    const LiveView &m_view;
    int m_seconds;
    std::unique_ptr<ChartStack> m_stack;
    QTimer m_turn; // layouts travel as events between the steps
    QImage m_image;
    std::size_t m_step = 0;
};

} // namespace headway::ui
