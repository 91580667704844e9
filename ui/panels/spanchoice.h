// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace headway::ui {

// Which span of the ledger: all of it, or up to a week before now.
class SpanChoice final : public QComboBox
{
    Q_OBJECT

public:
    static constexpr qint64 minute = 60'000; // ms

    explicit SpanChoice(QWidget *parent = nullptr);

    [[nodiscard]] qint64 sinceMsAgo() const { return currentData().toLongLong(); } // 0: everything
};

} // namespace headway::ui
