// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/keyedtable.h"

namespace headway::ui {

// The pooled upstream connections and what each of them holds.
class HeadModel final : public KeyedTable<live::HeadRow>
{
    Q_OBJECT

public:
    enum Column {
        State,
        Connection,
        Who,
        Model,
        Generation,
        Partition,
        Age,
        Idle,
        Turns,
        Items,
        Saved
    };

    explicit HeadModel(QObject *parent = nullptr);

private:
    [[nodiscard]] QVariant decoration(const live::HeadRow &row, int column,
                                      int role) const override;
};

} // namespace headway::ui
