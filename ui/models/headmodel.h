// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/keyedtable.h"

namespace headway::ui {

// The pooled upstream connections and lanes, and what each of them holds.
class HeadModel final : public KeyedTable<live::HeadRow>
{
    Q_OBJECT

public:
    enum Column {
        State,
        Connection,
        Lane,
        Who,
        Model,
        Generation,
        Partition,
        Age,
        Idle,
        LastMatch,
        Turns,
        Items,
        Saved,
        TokensSaved
    };

    explicit HeadModel(QObject *parent = nullptr);

    // What names a row: heads have numbers of their own, a spare has that of its connection.
    [[nodiscard]] static Key keyOf(const live::HeadRow &row);

private:
    [[nodiscard]] QVariant decoration(const live::HeadRow &row, int column,
                                      int role) const override;
};

} // namespace headway::ui
