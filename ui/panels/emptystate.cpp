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
    , m_content(content)
{
    m_stack->addWidget(content);
    m_message = addPage();
    m_filtered = addPage();
    m_filtered.title->setText(tr("The filter hides everything"));
    m_filtered.action->setText(tr("Clear the filter"));
    m_filtered.action->setAccessibleName(m_filtered.action->text());
    m_filtered.action->setObjectName(QStringLiteral("clear_filter"));
    connect(m_message.action, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    connect(m_filtered.action, &QPushButton::clicked, this, &EmptyState::clearRequested);
}

EmptyState::Page EmptyState::addPage()
{
    const Page page{new QWidget, new QLabel, new QLabel, new QPushButton};
    page.page->setAutoFillBackground(true);
    page.page->setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(page.page);
    page.title->setFont(bolder(larger(font(), 1.2)));
    for (QLabel *label : {page.title, page.text}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    page.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addStretch();
    layout->addWidget(page.title);
    layout->addWidget(page.text);
    layout->addWidget(page.action, 0, Qt::AlignCenter);
    layout->addStretch();
    m_stack->addWidget(page.page);
    return page;
}

void EmptyState::setEmpty(bool isEmpty)
{
    m_isEmpty = isEmpty;
    choose();
}

void EmptyState::setAllHidden(bool isHidden, int rows)
{
    if (isHidden) {
        const QString words = tr("%n row(s) do not match what is written there.", nullptr, rows);
        if (m_filtered.text->text() != words)
            m_filtered.text->setText(words);
    }
    m_isHidden = isHidden;
    choose();
}

void EmptyState::choose()
{
    QWidget *wanted = m_isEmpty ? m_message.page : m_isHidden ? m_filtered.page : m_content;
    if (m_stack->currentWidget() != wanted)
        m_stack->setCurrentWidget(wanted);
}

bool EmptyState::isShowingMessage() const
{
    return m_stack->currentWidget() != m_content;
}

QString EmptyState::title() const
{
    return (m_isEmpty || !m_isHidden ? m_message : m_filtered).title->text();
}

void EmptyState::setMessage(const QString &title, const QString &text, const QString &action)
{
    m_message.title->setText(title);
    m_message.text->setText(text);
    m_message.text->setVisible(!text.isEmpty());
    m_message.action->setText(action);
    m_message.action->setAccessibleName(action);
    m_message.action->setVisible(!action.isEmpty());
}

} // namespace headway::ui
