// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

#include <array>

namespace headway::ui {

// Where the time of one turn went: a bar with one part for each phase, in their order, and the
// same in words. Parts differ by pattern as well as by colour.
class TimingBar final : public QWidget
{
    Q_OBJECT

public:
    using Spent = std::array<base::Milliseconds, live::phaseCount>; // by live::Phase

    explicit TimingBar(QWidget *parent = nullptr);

    void setSpent(const Spent &spent);
    [[nodiscard]] QString words() const; // "queued 3.1 s · dialling 210 ms"; empty: nothing yet

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Spent m_spent{};
};

} // namespace headway::ui
