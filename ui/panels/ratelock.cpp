// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ratelock.h"

#include "ui/panels/padlock.h"

#include <QEvent>

namespace headway::ui {

RateLock::RateLock(const QString &prefix, QWidget *parent)
    : QToolButton(parent)
{
    setObjectName(prefix + QStringLiteral("rate_lock"));
    setAccessibleName(tr("Rate is a hard limit"));
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(this, &QToolButton::toggled, this, &RateLock::draw);
    connect(this, &QToolButton::clicked, this, [this] { Q_EMIT edited(value()); });
    draw();
}

void RateLock::showValue(const QString &value)
{
    setChecked(value == QLatin1String("true"));
}

QString RateLock::value() const
{
    return isChecked() ? QStringLiteral("true") : QStringLiteral("false");
}

void RateLock::setWithoutEffect(const QString &reason)
{
    if (m_reason == reason)
        return; // asked at each snapshot
    m_reason = reason;
    setEnabled(reason.isEmpty());
    draw();
}

void RateLock::changeEvent(QEvent *event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

void RateLock::draw()
{
    const QString tip = isChecked()
        ? tr("The rate is a hard limit: no policy opens faster. Click to let auto go above it.")
        : tr("auto may open faster than this rate while nothing is rejected. Click to make the "
             "rate a hard limit.");
    setToolTip(m_reason.isEmpty() ? tip : m_reason);
    setAccessibleDescription(toolTip());
    setText(isChecked() ? tr("limit") : tr("start"));
    const int size = fontMetrics().height() * 4 / 5;
    setIconSize({size, size});
    const auto ink = palette().color(isEnabled() ? QPalette::Normal : QPalette::Disabled,
                                     QPalette::ButtonText);
    setIcon(QIcon(padlock(isChecked(), ink, size, devicePixelRatioF())));
}

} // namespace headway::ui
