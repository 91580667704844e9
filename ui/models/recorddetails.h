// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"

#include <QString>

namespace headway::ui {

// All columns of a record that apply, as an HTML table; every text in it is escaped.
[[nodiscard]] QString recordDetails(const ledger::Record &record);

} // namespace headway::ui
