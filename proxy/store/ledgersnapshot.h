// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/store/ledgerexport.h"

#include <tl/expected.hpp>

namespace headway::store {

// The records of the span as a ledger of their own: a plain SQLite file, 0600, with the tables and
// record numbers of the ledger, of one instant while writing goes on (spec/ledger.md, "Reading").
// Written beside `out` and renamed: whole or not there at all. `format` is not looked at; standard
// output is refused. Works on the calling thread.
[[nodiscard]] tl::expected<ExportResult, StoreError> exportLedgerFile(const ExportRequest &request);

} // namespace headway::store
