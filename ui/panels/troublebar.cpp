// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/troublebar.h"

#include "ui/panels/troubleline.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace headway::ui {

namespace {

// They take other words, and nothing else has to change.
bool isAlike(const std::vector<Trouble> &a, const std::vector<Trouble> &b)
{
    return std::ranges::equal(a, b, [](const Trouble &one, const Trouble &other) {
        return one.kind == other.kind && one.action == other.action;
    });
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
    const bool isAsBefore = isAlike(m_shown, troubles);
    m_shown = troubles;
    if (!isAsBefore) {
        rebuild();
        return;
    }
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        m_lines[i]->say(m_shown[i]);
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

// The gravest in full; of the others what happened, on a line: with a large font there is no room
// for all of it.
void TroubleBar::addLine(const Trouble &trouble)
{
    const auto length = m_lines.empty() ? TroubleLine::Length::Full : TroubleLine::Length::Short;
    auto *line = new TroubleLine(trouble, length, this);
    connect(line, &TroubleLine::remedyRequested, this, &TroubleBar::remedyRequested);
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
