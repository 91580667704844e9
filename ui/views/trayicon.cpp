// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/trayicon.h"

#include "ui/format/figures.h"
#include "ui/format/palette.h"

#include <QAction>
#include <QApplication>
#include <QIcon>
#include <QPainter>
#include <QPixmap>

#include <optional>

namespace headway::ui {

namespace {

// The icon with a glyph in its corner, so that colour is not the only sign.
QIcon signedIcon(const QIcon &icon, std::optional<Meaning> meaning)
{
    constexpr int size = 64;
    QPixmap picture = icon.pixmap(size, size);
    if (!meaning || picture.isNull())
        return icon;
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect corner(size / 2, size / 2, size / 2, size / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(lightGrounds.base));
    painter.drawEllipse(corner);
    QFont font = painter.font();
    font.setPixelSize(size * 2 / 5);
    painter.setFont(font);
    painter.setPen(color(*meaning, false));
    painter.drawText(corner, Qt::AlignCenter, QString(QChar(sign(*meaning).glyph)));
    return QIcon(picture);
}

} // namespace

bool TrayIcon::isPossible()
{
    return QSystemTrayIcon::isSystemTrayAvailable();
}

TrayIcon::TrayIcon(QObject *parent)
    : QObject(parent)
    , m_icon(QIcon(QStringLiteral(":/icons/headway.svg")))
{
    connect(m_menu.addAction(tr("Show the window")), &QAction::triggered, this,
            &TrayIcon::windowRequested);
    connect(m_menu.addAction(tr("Quit")), &QAction::triggered, this, &TrayIcon::quitRequested);
    connect(&m_icon, &QSystemTrayIcon::activated, this,
            [this](QSystemTrayIcon::ActivationReason reason) {
                if (reason != QSystemTrayIcon::Context)
                    Q_EMIT windowRequested();
            });
    m_icon.setContextMenu(&m_menu);
    m_icon.setToolTip(tr("Headway"));
    m_icon.show();
}

void TrayIcon::apply(const live::SnapshotPointer &snapshot)
{
    if (!snapshot)
        return;
    showState(*snapshot);
    notify(*snapshot);
}

void TrayIcon::setNotifies(bool areWanted)
{
    m_notifies = areWanted;
}

// In words and with a sign on the icon: what a person has switched comes before what waits.
void TrayIcon::showState(const live::Snapshot &snapshot)
{
    const live::Overrides &above = snapshot.overrides;
    std::optional<Meaning> meaning;
    QString what
        = tr("%1 in flight, %2 waiting").arg(count(snapshot.turns.size()), count(snapshot.waiting));
    if (snapshot.waiting > 0)
        meaning = Meaning::Waiting;
    if (above.pauseAll || above.passThrough || !above.heldSessions.empty()) {
        meaning = Meaning::Limit;
        what = tr("%1, %2").arg(above.passThrough    ? tr("passing straight through")
                                    : above.pauseAll ? tr("paused")
                                                     : tr("a session is held"),
                                what);
    }
    if (snapshot.listening.empty()) {
        meaning = Meaning::Failed;
        what = tr("not listening");
    }
    const QString state = tr("Headway: %1").arg(what);
    if (state == m_state)
        return;
    m_state = state;
    m_icon.setToolTip(state);
    m_icon.setIcon(signedIcon(QIcon(QStringLiteral(":/icons/headway.svg")), meaning));
}

void TrayIcon::notify(const live::Snapshot &snapshot)
{
    // Asked even when nobody wants to hear: what happened meanwhile is not told later.
    const std::vector<Notification> all = m_notifier.look(snapshot);
    if (!m_notifies || QApplication::applicationState() == Qt::ApplicationActive)
        return; // whoever looks at the window sees it there
    for (const Notification &each : all)
        m_icon.showMessage(each.title, each.text, QSystemTrayIcon::Warning);
}

} // namespace headway::ui
