// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/linkbar.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/palette.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace headway::ui {

namespace {

constexpr int tickMs = 500;

QString wholeSeconds(qint64 ms)
{
    return duration(base::Milliseconds{ms / 1'000 * 1'000});
}

} // namespace

LinkBar::LinkBar(QWidget *parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
{
    setObjectName(QStringLiteral("link_bar"));
    setAccessibleName(tr("Connection to the proxy"));
    setAutoFillBackground(true);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    m_label->setFont(bolder(font()));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    layout->addWidget(m_label);
    m_tick.setInterval(tickMs);
    connect(&m_tick, &QTimer::timeout, this, &LinkBar::refresh);
    color();
    hide();
}

void LinkBar::setLink(const LinkState &link)
{
    m_link = link;
    m_waiting.start();
    m_tick.start();
    refresh();
}

void LinkBar::heard(const live::Snapshot &snapshot)
{
    const bool wasFresh = isFresh();
    m_at = snapshot.at;
    m_since.start();
    if (!wasFresh)
        refresh();
}

bool LinkBar::isConnected() const
{
    return m_link && m_link->phase == LinkState::Phase::Live;
}

bool LinkBar::isFresh() const
{
    return isConnected() && m_since.isValid() && !m_since.hasExpired(staleMs);
}

QString LinkBar::shownSince() const
{
    if (!m_since.isValid())
        return {};
    return u' '
        + tr("What is shown is from %1, %2 ago.")
              .arg(clockTime(m_at), wholeSeconds(m_since.elapsed()));
}

QString LinkBar::text() const
{
    if (!m_link || isFresh())
        return {};
    const QString &address = m_link->address;
    switch (m_link->phase) {
    case LinkState::Phase::Connecting:
        if (m_link->trouble.isEmpty())
            return tr("Connecting to %1 …").arg(address) + shownSince();
        return tr("%1. Connecting to %2 …").arg(m_link->trouble, address) + shownSince();
    case LinkState::Phase::Live:
        if (!m_since.isValid())
            return tr("Waiting for the first news from %1 …").arg(address);
        return tr("No news from %1 for %2.").arg(address, wholeSeconds(m_since.elapsed()))
            + shownSince();
    case LinkState::Phase::Waiting: {
        const qint64 left = std::max<qint64>(0, m_link->retryInMs - m_waiting.elapsed());
        return tr("No connection to %1: %2. The next attempt is in %3.")
                   .arg(address, m_link->trouble, wholeSeconds(left + 999))
            + shownSince();
    }
    case LinkState::Phase::Refused:
        return tr("No connection to %1: %2.").arg(address, m_link->trouble) + shownSince();
    }
    return {};
}

void LinkBar::refresh()
{
    const QString words = text();
    if (!words.isEmpty())
        m_label->setText(QString(QChar(sign(Meaning::Failed).glyph)) + u' ' + words);
    setVisible(!words.isEmpty());
    Q_EMIT changed();
}

void LinkBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        color();
}

// Both inks are more than 4.5 : 1 on this colour too.
void LinkBar::color()
{
    const QPalette whole = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    const bool dark = isDark(whole);
    QPalette own = whole;
    own.setColor(QPalette::Window, headway::ui::color(Meaning::Failed, dark));
    own.setColor(QPalette::WindowText, QColor(dark ? inkOnLimitDark : inkOnLimitLight));
    if (palette() != own)
        setPalette(own);
}

} // namespace headway::ui
