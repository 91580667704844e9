// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/emptystate.h"

#include "ui/format/appearance.h"

#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace headway::ui {

EmptyState::EmptyState(QWidget *content, QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_title(new QLabel)
    , m_text(new QLabel)
    , m_action(new QPushButton)
{
    auto *page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(page);
    QFont bold = larger(font(), 1.2);
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    for (QLabel *label : {m_title, m_text}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addStretch();
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addWidget(m_action, 0, Qt::AlignCenter);
    layout->addStretch();
    m_stack->addWidget(content);
    m_stack->addWidget(page);
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionTriggered);
}

void EmptyState::setEmpty(bool isEmpty)
{
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
}

bool EmptyState::isShowingMessage() const
{
    return m_stack->currentIndex() == 1;
}

QString EmptyState::title() const
{
    return m_title->text();
}

void EmptyState::setMessage(const QString &title, const QString &text, const QString &action)
{
    m_title->setText(title);
    m_text->setText(text);
    m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
}

} // namespace headway::ui
