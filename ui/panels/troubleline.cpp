// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/troubleline.h"

#include "ui/format/appearance.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/wrappedlabel.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace headway::ui {

namespace {

QLabel *wrapped(QWidget *parent)
{
    auto *label = new WrappedLabel(parent);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString rest(const Trouble &trouble)
{
    return trouble.remedy.isEmpty() ? trouble.meaning : trouble.meaning + u' ' + trouble.remedy;
}

} // namespace

TroubleLine::TroubleLine(const Trouble &trouble, Length length, QWidget *parent)
    : QWidget(parent)
{
    const Meaning meaning = trouble.sign();
    const QFont bold = bolder(font());
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(1, 1);
    auto *glyph = new QLabel(
        QString(QChar(meaning == Meaning::Failed ? ui::sign(meaning).glyph : warningGlyph)), this);
    glyph->setPalette(inked(palette(), color(meaning, palette())));
    glyph->setFont(bold);
    layout->addWidget(glyph, 0, 0, Qt::AlignTop);
    if (length == Length::Full) {
        m_what = wrapped(this);
        m_what->setFont(bold);
        m_rest = wrapped(this);
        layout->addWidget(m_what, 0, 1);
        layout->addWidget(m_rest, 1, 1, 1, 2);
    } else {
        m_short = new ElidedLabel(this);
        m_short->setFont(bold);
        layout->addWidget(m_short, 0, 1);
    }
    if (!trouble.action.isEmpty())
        addButton(trouble, layout);
    say(trouble);
}

void TroubleLine::addButton(const Trouble &trouble, QGridLayout *layout)
{
    m_button = new QPushButton(trouble.action, this);
    m_button->setObjectName(QStringLiteral("remedy_%1").arg(static_cast<int>(trouble.kind)));
    m_button->setAccessibleName(trouble.action);
    connect(m_button, &QPushButton::clicked, this,
            [this, kind = trouble.kind] { Q_EMIT remedyRequested(kind); });
    layout->addWidget(m_button, 0, 2, Qt::AlignTop);
}

void TroubleLine::say(const Trouble &trouble)
{
    const QString more = rest(trouble);
    if (m_short) {
        m_short->setText(trouble.what);
        m_short->setToolTip(trouble.what + u'\n' + more);
        m_short->setAccessibleName(trouble.what + u' ' + more);
    } else {
        m_what->setText(trouble.what);
        m_rest->setText(more);
    }
    if (m_button)
        m_button->setAccessibleDescription(trouble.what + u' ' + more);
}

} // namespace headway::ui
