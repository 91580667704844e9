// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/settingslider.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"
#include "ui/format/stops.h"
#include "ui/panels/padlock.h"
#include "ui/panels/settingspin.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace headway::ui {

namespace {

// Milliseconds are read in seconds.
int shownUnit(const settings::Row &row)
{
    return row.unit == "ms" ? 1000 : 1;
}

QString shownSuffix(const settings::Row &row)
{
    if (row.unit == "ms" || row.unit == "s")
        return SettingSlider::tr(" s");
    if (row.unit == "per minute")
        return SettingSlider::tr(" /min");
    return {};
}

int narrow(std::int64_t value)
{
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

} // namespace

SettingSlider::SettingSlider(settings::Key key, const QString &prefix, QWidget *parent)
    : QWidget(parent)
    , m_row(settings::row(key))
    , m_unit(shownUnit(m_row))
    , m_stops(sliderStops(m_row.minimum, m_row.maximum, m_unit))
    , m_label(new QLabel(settingTitle(m_row.name), this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_spin(new SettingSpin(m_unit, this))
    , m_lock(new QLabel(this))
{
    build(prefix);
    m_pause.setSingleShot(true);
    m_pause.setInterval(sendIntervalMs);
    connect(&m_pause, &QTimer::timeout, this, &SettingSlider::send);
    connect(m_slider, &QSlider::valueChanged, this,
            [this](int stop) { moveTo(narrow(m_stops[static_cast<std::size_t>(stop)])); });
    connect(m_slider, &QSlider::sliderPressed, this, [this] { ++m_gesture; });
    connect(m_slider, &QSlider::sliderReleased, this, &SettingSlider::send);
    connect(m_spin, &QSpinBox::valueChanged, this, &SettingSlider::moveTo);
}

QString SettingSlider::key() const
{
    return text(m_row.name);
}

QWidget *SettingSlider::entry() const
{
    return m_spin;
}

void SettingSlider::build(const QString &prefix)
{
    const QString name = settingTitle(m_row.name);
    m_label->setBuddy(m_spin);
    m_slider->setObjectName(prefix + QStringLiteral("slider_") + key());
    m_slider->setAccessibleName(name);
    m_slider->setRange(0, static_cast<int>(m_stops.size()) - 1);
    m_slider->setPageStep(10);
    m_spin->setObjectName(prefix + QStringLiteral("spin_") + key());
    m_spin->setAccessibleName(name);
    m_spin->setRange(narrow(m_row.minimum), narrow(m_row.maximum));
    m_spin->setSuffix(shownSuffix(m_row));
    if (m_row.name == "rate_per_min")
        m_spin->setSpecialValueText(tr("no limit"));
    m_lock->setObjectName(prefix + QStringLiteral("lock_") + key());
    m_lock->hide();
    drawLock();
    showTips();
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(2);
    grid->addWidget(m_label, 0, 0);
    grid->addWidget(m_lock, 0, 1, Qt::AlignRight);
    grid->addWidget(m_spin, 0, 2);
    grid->addWidget(m_slider, 1, 0, 1, 3);
    grid->setColumnStretch(0, 1);
    showValue(text(m_row.fallback).toInt()); // until a snapshot says otherwise
}

void SettingSlider::placeBeside(QWidget *widget)
{
    auto *grid = static_cast<QGridLayout *>(layout());
    grid->removeWidget(m_slider);
    grid->addWidget(m_slider, 1, 0, 1, 2);
    grid->addWidget(widget, 1, 2);
}

void SettingSlider::setWithoutEffect(const QString &reason)
{
    if (m_reason == reason)
        return;
    m_reason = reason;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_label, m_slider, m_spin})
        widget->setEnabled(reason.isEmpty());
    showTips();
}

void SettingSlider::showTips()
{
    const QString tip = m_reason.isEmpty() ? text(m_row.description) : m_reason;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_label, m_slider, m_spin}) {
        widget->setToolTip(tip);
        widget->setAccessibleDescription(tip);
    }
}

void SettingSlider::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        drawLock();
}

void SettingSlider::drawLock()
{
    m_lock->setPixmap(padlock(true, palette().color(QPalette::WindowText),
                              fontMetrics().height() * 4 / 5, devicePixelRatioF()));
}

void SettingSlider::moveTo(int value)
{
    if (value == m_value)
        return;
    // A drag is one gesture; keys and clicks are one each pause.
    if (!m_slider->isSliderDown() && !m_pause.isActive())
        ++m_gesture;
    showValue(value);
    m_unsent = value;
    m_isSet = true;
    Q_EMIT changed(value);
    if (!m_pause.isActive())
        send();
}

// Both controls and nothing else: what is shown is not said.
void SettingSlider::showValue(int value)
{
    m_value = value;
    const QSignalBlocker quietSlider(m_slider);
    const QSignalBlocker quietSpin(m_spin);
    const int stop = nearestStop(m_stops, value);
    // Between two stops the slider stays where the hand left it.
    if (m_slider->value() != stop)
        m_slider->setValue(stop);
    m_spin->setValue(value);
}

void SettingSlider::send()
{
    if (!m_unsent)
        return;
    m_unanswered = m_unsent;
    m_unsent.reset();
    m_sentAt = m_now;
    m_pause.start();
    Q_EMIT edited(key(), QString::number(*m_unanswered));
}

bool SettingSlider::isHeld() const
{
    return m_slider->isSliderDown() || !isSettled() || m_spin->isBeingEdited();
}

void SettingSlider::follow(const live::SettingValue &value, base::WallTime at)
{
    m_now = at;
    m_isSet = value.source != "default";
    showLock(value);
    bool isNumber = false;
    const qlonglong number = text(value.value).toLongLong(&isNumber);
    if (!isNumber)
        return;
    const int theirs = narrow(number);
    if (m_unanswered && (theirs == *m_unanswered || at - m_sentAt > patience || at < m_sentAt))
        m_unanswered.reset();
    if (isHeld() || theirs == m_value)
        return;
    showValue(theirs);
    Q_EMIT changed(m_value);
}

void SettingSlider::showLock(const live::SettingValue &value)
{
    if (m_lock->isHidden() != value.locked)
        return;
    m_lock->setVisible(value.locked);
    const QString where
        = value.source == "environment" ? tr("the environment") : tr("the command line");
    const QString tip = tr("Fixed by %1. A change here acts until exit; the next start begins with "
                           "the fixed value again.")
                            .arg(where);
    m_lock->setToolTip(value.locked ? tip : QString());
    m_lock->setAccessibleName(
        value.locked ? tr("%1 is locked. %2").arg(settingTitle(m_row.name), tip) : QString());
}

} // namespace headway::ui
