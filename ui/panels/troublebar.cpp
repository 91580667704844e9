// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/troublebar.h"

#include "ui/format/appearance.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/wrappedlabel.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace headway::ui {

namespace {

QLabel *wrapped(const QString &words, QWidget *parent)
{
    auto *label = new WrappedLabel(parent);
    label->setText(words);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

TroubleBar::TroubleBar(QWidget *parent)
    : QFrame(parent)
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("trouble_bar"));
    setAccessibleName(tr("What is wrong"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_layout->setContentsMargins(10, 6, 10, 6);
    m_layout->setSpacing(6);
    hide();
}

void TroubleBar::setTroubles(const std::vector<Trouble> &troubles)
{
    if (m_shown == troubles)
        return;
    m_shown = troubles;
    rebuild();
}

void TroubleBar::rebuild()
{
    for (QWidget *line : std::exchange(m_lines, {})) {
        line->hide();
        line->deleteLater(); // its button may be the one that was pressed
    }
    for (const Trouble &trouble : m_shown)
        addLine(trouble);
    setVisible(!m_lines.empty());
}

// The gravest in full; of the others what happened, on a line, and the rest as its tool tip: with a
// large font there is no room for all of it.
void TroubleBar::addLine(const Trouble &trouble)
{
    const Meaning meaning = trouble.sign();
    const QString rest
        = trouble.remedy.isEmpty() ? trouble.meaning : trouble.meaning + u' ' + trouble.remedy;
    const QFont bold = bolder(font());
    auto *line = new QWidget(this);
    auto *layout = new QGridLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(1, 1);
    auto *glyph = new QLabel(
        QString(QChar(meaning == Meaning::Failed ? ui::sign(meaning).glyph : warningGlyph)), line);
    glyph->setPalette(inked(palette(), color(meaning, palette())));
    glyph->setFont(bold);
    layout->addWidget(glyph, 0, 0, Qt::AlignTop);
    if (m_lines.empty()) {
        QLabel *what = wrapped(trouble.what, line);
        what->setFont(bold);
        layout->addWidget(what, 0, 1);
        layout->addWidget(wrapped(rest, line), 1, 1, 1, 2);
    } else {
        auto *what = new ElidedLabel(line);
        what->setText(trouble.what);
        what->setToolTip(trouble.what + u'\n' + rest);
        what->setAccessibleName(trouble.what + u' ' + rest);
        what->setFont(bold);
        layout->addWidget(what, 0, 1);
    }
    if (!trouble.action.isEmpty()) {
        auto *button = new QPushButton(trouble.action, line);
        button->setObjectName(QStringLiteral("remedy_%1").arg(static_cast<int>(trouble.kind)));
        button->setAccessibleName(trouble.action);
        button->setAccessibleDescription(trouble.what + u' ' + rest);
        connect(button, &QPushButton::clicked, this,
                [this, kind = trouble.kind] { Q_EMIT remedyRequested(kind); });
        layout->addWidget(button, 0, 2, Qt::AlignTop);
    }
    m_layout->addWidget(line);
    m_lines.push_back(line);
}

void TroubleBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationPaletteChange)
        rebuild();
}

} // namespace headway::ui
