// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/replaysummary.h"

#include "ui/format/appearance.h"
#include "ui/format/replaywords.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace headway::ui {

ReplaySummary::ReplaySummary(QWidget *parent)
    : QWidget(parent)
    , m_verdict(new QLabel(this))
    , m_caution(new QLabel(this))
    , m_grid(new QGridLayout)
{
    const QFont bold = bolder(font());
    m_verdict->setObjectName(QStringLiteral("replay_verdict"));
    m_verdict->setFont(bold);
    m_caution->setObjectName(QStringLiteral("replay_caution"));
    m_caution->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel *label : {m_verdict, m_caution}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 3);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(3, 1);
    const QStringList titles{QString(), tr("In force"), tr("Tried"), tr("Difference")};
    for (int column = 1; column < titles.size(); ++column) {
        QLabel *title = cell(0, column);
        title->setText(titles.at(column));
        title->setForegroundRole(QPalette::PlaceholderText);
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 6);
    layout->addWidget(m_verdict);
    layout->addLayout(m_grid);
    layout->addWidget(m_caution);
    layout->addStretch();
}

QLabel *ReplaySummary::cell(int row, int column)
{
    auto *label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(column == 1 || column == 2 ? Qt::AlignRight : Qt::AlignLeft);
    m_grid->addWidget(label, row, column);
    return label;
}

void ReplaySummary::showSummaries(const lab::ReplaySummary &before, const lab::ReplaySummary &after)
{
    m_verdict->setText(replayVerdict(before, after));
    const std::vector<ReplayFigure> figures = replayFigures(before, after);
    while (m_rows.size() < figures.size()) {
        const int row = static_cast<int>(m_rows.size()) + 1; // below the titles
        m_rows.push_back({cell(row, 0), cell(row, 1), cell(row, 2), cell(row, 3)});
    }
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto &[name, was, is, difference] = figures[i];
        m_rows[i][0]->setText(name);
        m_rows[i][1]->setText(was);
        m_rows[i][2]->setText(is);
        m_rows[i][3]->setText(difference);
        m_rows[i][3]->setAccessibleName(
            tr("%1: in force %2, tried %3, %4").arg(name, was, is, difference));
    }
}

void ReplaySummary::setCaution(const QString &text)
{
    m_caution->setText(text);
}

} // namespace headway::ui
