// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/timingbar.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/words.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

namespace headway::ui {

namespace {

constexpr int leastWidth = 2; // a short phase is still seen

// Solid: it works for the client. Hatched: it waits. Dense: somebody held it back.
Qt::BrushStyle pattern(live::Phase phase)
{
    switch (phase) {
    case live::Phase::Gate:
    case live::Phase::Backoff:
        return Qt::Dense4Pattern;
    case live::Phase::Queued:
        return Qt::BDiagPattern;
    case live::Phase::Dialling:
        return Qt::FDiagPattern;
    case live::Phase::FirstByte:
        return Qt::Dense5Pattern;
    case live::Phase::Streaming:
        return Qt::SolidPattern;
    }
    return Qt::SolidPattern;
}

} // namespace

TimingBar::TimingBar(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("timing_bar"));
    setAccessibleName(tr("Where the time went"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimingBar::setSpent(const Spent &spent)
{
    if (m_spent == spent)
        return;
    m_spent = spent;
    setToolTip(words());
    setAccessibleDescription(words());
    update();
}

QString TimingBar::words() const
{
    QStringList parts;
    for (std::size_t i = 0; i < m_spent.size(); ++i)
        if (m_spent[i].count() > 0)
            parts << tr("%1 %2", "phase, how long")
                         .arg(phaseWord(static_cast<live::Phase>(i)).text, duration(m_spent[i]));
    return parts.join(QStringLiteral(" · "));
}

QSize TimingBar::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 20, fontMetrics().height()};
}

void TimingBar::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    const QRect frame = rect().adjusted(0, 0, -1, -1);
    const auto whole
        = std::accumulate(m_spent.begin(), m_spent.end(), base::Milliseconds{0}).count();
    int left = frame.left() + 1;
    for (std::size_t i = 0; whole > 0 && i < m_spent.size(); ++i) {
        if (m_spent[i].count() <= 0)
            continue;
        const auto share = static_cast<double>(m_spent[i].count()) / static_cast<double>(whole);
        const int room = frame.right() - left;
        const int width
            = std::min(room, std::max(leastWidth, static_cast<int>(share * (frame.width() - 1))));
        const auto phase = static_cast<live::Phase>(i);
        const QColor ink = color(phaseWord(phase).meaning, palette());
        painter.fillRect(QRect(left, frame.top() + 1, width, frame.height() - 1),
                         QBrush(ink, pattern(phase)));
        left += width;
    }
    painter.setPen(hairline(palette()));
    painter.drawRect(frame);
}

} // namespace headway::ui
