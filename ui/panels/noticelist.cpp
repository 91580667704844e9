// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/noticelist.h"

#include "ui/format/figures.h"
#include "ui/format/palette.h"

#include <QLabel>
#include <QVBoxLayout>

namespace headway::ui {

NoticeList::NoticeList(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    setObjectName(QStringLiteral("notices"));
    hide();
}

void NoticeList::setNotices(const std::vector<std::string> &notices)
{
    if (m_notices == notices)
        return;
    m_notices = notices;
    while (QLayoutItem *item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const std::string &notice : notices) {
        auto *label = new QLabel(QString(QChar(warningGlyph)) + u' ' + text(notice), this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_layout->addWidget(label);
    }
    setVisible(!notices.empty());
}

} // namespace headway::ui
