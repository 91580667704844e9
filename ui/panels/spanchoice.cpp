// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/spanchoice.h"

namespace headway::ui {

SpanChoice::SpanChoice(QWidget *parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Span"));
    addItem(tr("everything"), 0);
    addItem(tr("the last 15 minutes"), 15 * minute);
    addItem(tr("the last hour"), 60 * minute);
    addItem(tr("the last day"), 24 * 60 * minute);
    addItem(tr("the last week"), 7 * 24 * 60 * minute);
}

} // namespace headway::ui
