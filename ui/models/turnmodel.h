// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/keyedtable.h"

namespace headway::ui {

// The turns in flight, oldest on top. Rows stay where they are while their turn lives.
class TurnModel final : public KeyedTable<live::TurnRow>
{
    Q_OBJECT

public:
    enum Column { Phase, Who, Model, Decision, Age, LeavesIn, Output, Why };

    explicit TurnModel(QObject *parent = nullptr);

private:
    [[nodiscard]] QVariant decoration(const live::TurnRow &row, int column,
                                      int role) const override;
};

} // namespace headway::ui
