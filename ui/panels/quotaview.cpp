// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/quotaview.h"

#include "ui/format/quotawords.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace headway::ui {

namespace {

constexpr int barHeight = 4;
constexpr int fewestCharacters = 8;

} // namespace

QuotaView::QuotaView(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("quota_view"));
    setAccessibleName(tr("Quota of the account"));
    m_layout->setContentsMargins(10, 2, 8, 4);
    m_layout->setSpacing(16);
    m_layout->addStretch(1); // the last one: gauges keep their size
    hide();
}

void QuotaView::apply(const live::Snapshot &snapshot)
{
    const std::vector<pacing::QuotaWindow> &windows = snapshot.quota;
    while (m_gauges.size() > windows.size()) {
        delete m_gauges.back();
        m_gauges.pop_back();
    }
    while (m_gauges.size() < windows.size()) {
        m_gauges.push_back(new QuotaGauge(this));
        m_layout->insertWidget(static_cast<int>(m_gauges.size()) - 1, m_gauges.back());
    }
    for (std::size_t i = 0; i < windows.size(); ++i)
        m_gauges[i]->setQuota(windows[i], snapshot.at);
    setVisible(!windows.empty());
}

QuotaGauge::QuotaGauge(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("quota_gauge"));
}

void QuotaGauge::setQuota(const pacing::QuotaWindow &window, base::WallTime now)
{
    const QString name = quotaName(window);
    const QString words = tr("%1 %2", "quota · how it stands").arg(name, quotaWords(window, now));
    const QString sentence = tr("%1: %2").arg(name, quotaSentence(window, now));
    if (toolTip() != sentence) {
        setToolTip(sentence);
        setAccessibleName(sentence);
    }
    const double share = std::clamp(window.usedPercent / 100, 0.0, 1.0);
    const Meaning meaning = quotaMeaning(window);
    if (words == m_text && share == m_share && meaning == m_meaning)
        return;
    const bool isLonger = words.size() != m_text.size();
    m_text = words;
    m_share = share;
    m_meaning = meaning;
    if (isLonger)
        updateGeometry();
    update();
}

QSize QuotaGauge::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("◐ ") + m_text) + 2,
            fontMetrics().height() + barHeight + 3};
}

QSize QuotaGauge::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * fewestCharacters, sizeHint().height()};
}

void QuotaGauge::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    const bool isCalm = m_meaning == Meaning::Active;
    const QColor tint = color(m_meaning, palette());
    QRect line(0, 0, width(), fontMetrics().height());
    if (!isCalm) {
        const QString glyph = QString(QChar(sign(m_meaning).glyph)) + u' ';
        painter.setPen(tint);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, glyph);
        line.setLeft(fontMetrics().horizontalAdvance(glyph));
    }
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_text, Qt::ElideRight, line.width()));
    const QRect bar(0, height() - barHeight, width(), barHeight);
    painter.fillRect(bar, palette().color(QPalette::Mid));
    painter.fillRect(
        QRect(bar.topLeft(), QSize(static_cast<int>(bar.width() * m_share), barHeight)), tint);
}

} // namespace headway::ui
