// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/store/ledgercursor.h"
#include "proxy/store/storeerror.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace headway::store {

enum class ExportFormat : std::uint8_t { Csv, JsonLines, Sqlite };

// "csv", "jsonl" or "sqlite".
[[nodiscard]] std::optional<ExportFormat> exportFormatNamed(const QString &name);

struct ExportRequest
{
    QString path{}; // the ledger
    ExportFormat format = ExportFormat::JsonLines;
    LedgerSpan span{};
    // JsonLines: the file, or "-" for standard output. Sqlite: the file. Csv, one file per kind:
    //   ends in .csv: that file for one kind; "stem-KIND.csv" beside it for several
    //   "-":          standard output, for one kind only
    //   else:         a folder, made (0700) where it is missing, with KIND.csv in it
    QString out{};
    // Now and then: records so far and the share that is done, 0 to 1. False stops the export.
    std::function<bool(quint64 records, double share)> progress{};
};

struct ExportResult
{
    quint64 records = 0;
    QStringList files; // "-": standard output
};

// Writes the records of the span in the order they were made (spec/ledger.md, "Reading"):
// consistent to one instant while writing goes on, files complete or not there at all. Works on the
// calling thread; memory does not grow with the ledger.
[[nodiscard]] tl::expected<ExportResult, StoreError> exportLedger(const ExportRequest &request);

} // namespace headway::store
