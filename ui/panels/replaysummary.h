// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/replay.h"

#include <QWidget>

#include <array>
#include <vector>

class QGridLayout;
class QLabel;

namespace headway::ui {

// The figures of two replays side by side, and what the change does in words.
class ReplaySummary final : public QWidget
{
    Q_OBJECT

public:
    explicit ReplaySummary(QWidget *parent = nullptr);

    void showSummaries(const lab::ReplaySummary &before, const lab::ReplaySummary &after);
    void setCaution(const QString &text); // what a replay cannot know; plain text

private:
    QLabel *cell(int row, int column);

    QLabel *m_verdict;
    QLabel *m_caution;
    QGridLayout *m_grid;
    std::vector<std::array<QLabel *, 4>> m_rows;
};

} // namespace headway::ui
