// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chartpicture.h"

#include "ui/format/appearance.h"
#include "ui/views/chartstack.h"
#include "ui/views/liveview.h"

#include <QLayout>

namespace headway::ui {

namespace {

constexpr std::size_t layoutSteps = 3; // show, draw, and draw with the charts that are shown then

} // namespace

ChartPicture::ChartPicture(const LiveView &view, int seconds, const QSize &size, QObject *parent)
    : QObject(parent)
    , m_view(view)
    , m_seconds(seconds)
    , m_image(size, QImage::Format_RGB32)
{
    connect(&m_turn, &QTimer::timeout, this, &ChartPicture::step);
}

ChartPicture::~ChartPicture() = default;

void ChartPicture::start()
{
    m_stack = std::make_unique<ChartStack>();
    m_stack->setPalette(lightPalette());
    m_stack->setAttribute(Qt::WA_DontShowOnScreen);
    m_stack->resize(m_image.size());
    m_image.fill(m_stack->palette().color(QPalette::Base));
    m_turn.start(0);
}

void ChartPicture::step()
{
    const auto parts = static_cast<std::size_t>(m_stack->layout()->count());
    if (m_step == 0)
        m_stack->show();
    else if (m_step < layoutSteps && !m_view.drawInto(*m_stack, m_seconds)) {
        m_turn.stop();
        Q_EMIT finished({});
        return;
    } else if (m_step >= layoutSteps)
        paint(m_step - layoutSteps);
    ++m_step;
    const std::size_t all = layoutSteps + parts;
    Q_EMIT progressed(static_cast<double>(m_step) / static_cast<double>(all));
    if (m_step < all)
        return;
    m_turn.stop();
    Q_EMIT finished(m_image);
}

void ChartPicture::paint(std::size_t part)
{
    QWidget *widget = m_stack->layout()->itemAt(static_cast<int>(part))->widget();
    if (widget != nullptr && widget->isVisible())
        widget->render(&m_image, widget->pos(), {}, QWidget::DrawChildren);
}

} // namespace headway::ui
