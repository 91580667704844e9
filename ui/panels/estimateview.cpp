// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/estimateview.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/policywords.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headway::ui {

namespace {

QLabel *wrapped(const QString &name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

void showText(QLabel *label, const QString &words)
{
    if (label->text() != words)
        label->setText(words);
}

} // namespace

EstimateView::EstimateView(QWidget *parent)
    : QWidget(parent)
    , m_doorLine(new QWidget(this))
    , m_doorGlyph(new QLabel(m_doorLine))
    , m_door(wrapped(QStringLiteral("door_state"), m_doorLine))
    , m_gated(wrapped(QStringLiteral("gated_turns"), this))
    , m_learned(new QWidget(this))
    , m_estimate(wrapped(QStringLiteral("estimate"), m_learned))
    , m_confidence(new QProgressBar(m_learned))
    , m_trust(wrapped(QStringLiteral("estimate_trust"), m_learned))
{
    setObjectName(QStringLiteral("estimate_view"));
    auto *door = new QHBoxLayout(m_doorLine);
    door->setContentsMargins(0, 0, 0, 0);
    door->addWidget(m_doorGlyph, 0, Qt::AlignTop);
    door->addWidget(m_door, 1);
    m_confidence->setObjectName(QStringLiteral("estimate_confidence"));
    m_confidence->setAccessibleName(tr("Confidence of the estimate"));
    m_confidence->setRange(0, 100);
    m_confidence->setTextVisible(false);
    m_confidence->setFixedHeight(std::max(6, fontMetrics().height() / 3));
    m_estimate->setToolTip(tr("Drawn from this account's own traffic: what passed and what was "
                              "rejected. An estimate, not a limit anybody stated."));
    auto *learned = new QVBoxLayout(m_learned);
    learned->setContentsMargins(0, 0, 0, 0);
    learned->setSpacing(3);
    learned->addWidget(m_estimate);
    learned->addWidget(m_confidence);
    learned->addWidget(m_trust);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(fontMetrics().height() / 3);
    layout->addWidget(m_learned);
    layout->addWidget(m_doorLine);
    layout->addWidget(m_gated);
    setVisible(false);
}

void EstimateView::apply(const live::Snapshot &snapshot)
{
    const bool isAuto = snapshot.policy == "auto";
    m_learned->setVisible(isAuto);
    if (isAuto)
        showEstimate(snapshot);
    const bool hasDoor = isAuto || snapshot.door != pacing::DoorState::Open;
    m_doorLine->setVisible(hasDoor);
    if (hasDoor)
        showDoor(snapshot);
    m_gated->setVisible(snapshot.gated > 0);
    if (snapshot.gated > 0)
        showText(m_gated,
                 tr("Turns held back by the token budget or a cool-down: %1")
                     .arg(count(snapshot.gated)));
    setVisible(hasDoor || snapshot.gated > 0);
}

void EstimateView::showDoor(const live::Snapshot &snapshot)
{
    const Word word = doorWord(snapshot.door, snapshot.doorFor);
    showText(m_door, tr("Door: %1").arg(word.text));
    showText(m_doorGlyph, QString(QChar(word.glyph)));
    if (m_meaning != word.meaning) {
        m_meaning = word.meaning;
        recolor();
    }
}

void EstimateView::showEstimate(const live::Snapshot &snapshot)
{
    const pacing::CeilingEstimate &estimate = snapshot.estimate;
    showText(m_estimate, tr("Estimate: %1").arg(estimateWords(estimate)));
    const bool isKnown = estimate.shape != pacing::CeilingShape::Unknown;
    m_confidence->setVisible(isKnown);
    m_trust->setVisible(isKnown);
    if (!isKnown)
        return;
    const double confidence = std::clamp(estimate.confidence, 0.0, 1.0);
    m_confidence->setValue(static_cast<int>(std::lround(confidence * 100)));
    const base::Milliseconds age
        = std::max(snapshot.at - estimate.measuredAt, base::Milliseconds::zero());
    const QString words = age < base::Seconds{1}
        ? tr("%1, confirmed just now").arg(confidenceWords(confidence))
        : tr("%1, last confirmed %2 ago")
              .arg(confidenceWords(confidence), duration(std::chrono::floor<base::Seconds>(age)));
    showText(m_trust, words);
    m_confidence->setAccessibleDescription(words);
}

void EstimateView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

void EstimateView::recolor()
{
    m_doorGlyph->setPalette(inked(palette(), color(m_meaning, palette())));
}

} // namespace headway::ui
