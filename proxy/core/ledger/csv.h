// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/columns.h"

#include <span>
#include <string>

namespace headway::ledger {

// RFC 4180: commas, CRLF after every line, a cell quoted when it must be, quotes doubled. A text
// that starts with = + - @ tab or CR gets an apostrophe in front, so that no spreadsheet takes it
// for a formula; numbers are untouched (spec/ledger.md, "Reading"). Nothing is an empty cell, flags
// are 0 and 1. Texts must be UTF-8.
void appendCsvHeader(std::string &out, const Kind &kind);
void appendCsvRow(std::string &out, std::span<const Value> cells);

} // namespace headway::ledger
