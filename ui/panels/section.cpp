// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/section.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace headway::ui {

Section::Section(const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_heading(new QToolButton(this))
    , m_body(new QWidget(this))
    , m_content(new QVBoxLayout(m_body))
{
    m_heading->setObjectName(name);
    m_heading->setText(title);
    m_heading->setAccessibleName(title);
    m_heading->setCheckable(true);
    m_heading->setAutoRaise(true);
    m_heading->setFocusPolicy(Qt::StrongFocus);
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_heading->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(fontMetrics().height() / 4);
    layout->addWidget(m_heading);
    layout->addWidget(m_body);
    m_content->setContentsMargins(0, 0, 0, fontMetrics().height() / 2);
    m_content->setSpacing(fontMetrics().height() / 2);
    connect(m_heading, &QToolButton::toggled, this, &Section::setOpen);
    setOpen(false);
}

void Section::add(QWidget *widget)
{
    m_content->addWidget(widget);
}

void Section::setOpen(bool isOpen)
{
    m_heading->setChecked(isOpen);
    m_heading->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
    m_heading->setAccessibleDescription(isOpen ? tr("Open; press to close")
                                               : tr("Closed; press to open"));
    m_body->setVisible(isOpen);
}

bool Section::isOpen() const
{
    return m_heading->isChecked();
}

} // namespace headway::ui
