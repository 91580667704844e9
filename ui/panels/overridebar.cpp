// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overridebar.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/palette.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace headway::ui {

OverrideBar::OverrideBar(QWidget *parent)
    : QFrame(parent)
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("override_bar"));
    setAccessibleName(tr("In force above the settings"));
    setAutoFillBackground(true);
    m_layout->setContentsMargins(10, 4, 10, 4);
    m_layout->setSpacing(4);
    color();
    hide();
}

void OverrideBar::apply(const live::Snapshot &snapshot)
{
    if (m_shown == snapshot.overrides)
        return;
    m_shown = snapshot.overrides;
    rebuild();
}

void OverrideBar::rebuild()
{
    for (QWidget *line : std::exchange(m_lines, {}))
        line->deleteLater(); // its button may be the one that was pressed
    if (m_shown.passThrough)
        addLine(tr("Passing straight through: nothing is paced and nothing is continued."),
                QStringLiteral("end_pass_through"), tr("Switch Headway back on"),
                [this] { Q_EMIT passThroughEnded(); });
    if (m_shown.pauseAll)
        addLine(tr("Paused: no turn gets a new connection. Deadlines run on."),
                QStringLiteral("resume_all"), tr("Resume"), [this] { Q_EMIT resumeRequested(); });
    for (const std::string &held : m_shown.heldSessions)
        addLine(
            tr("Session %1 is held: it gets no new connection. Deadlines run on.").arg(text(held)),
            QStringLiteral("release_") + text(held), tr("Release it"),
            [this, session = text(held)] { Q_EMIT releaseRequested(session); });
    setVisible(!m_lines.empty());
}

void OverrideBar::addLine(const QString &words, const QString &name, const QString &button,
                          std::function<void()> back)
{
    auto *line = new QWidget(this);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *label = new QLabel(QString(QChar(sign(Meaning::Limit).glyph)) + u' ' + words, line);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(bolder(font()));
    auto *press = new QPushButton(button, line);
    press->setObjectName(name);
    press->setAccessibleName(button);
    press->setAccessibleDescription(words);
    layout->addWidget(label, 1);
    layout->addWidget(press);
    connect(press, &QPushButton::clicked, this, std::move(back));
    m_layout->addWidget(line);
    m_lines.push_back(line);
}

void OverrideBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        rebuild();
    if (event->type() == QEvent::ApplicationPaletteChange)
        color();
}

// tst_palette holds both inks to 4.5 : 1.
void OverrideBar::color()
{
    const QPalette whole = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    const bool dark = isDark(whole);
    QPalette own = whole;
    own.setColor(QPalette::Window, headway::ui::color(Meaning::Limit, dark));
    own.setColor(QPalette::WindowText, QColor(dark ? inkOnLimitDark : inkOnLimitLight));
    if (palette() != own)
        setPalette(own);
}

} // namespace headway::ui
