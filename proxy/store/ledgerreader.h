// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/store/ledgercursor.h"
#include "proxy/store/sqlconnection.h"

#include <tl/expected.hpp>

namespace headway::store {

// A ledger opened for reading, at one instant: what is written afterwards is not seen, and writing
// is not held up. Any thread, also beside the program that writes. Refuses a newer schema.
class LedgerReader final
{
public:
    [[nodiscard]] static tl::expected<LedgerReader, StoreError> open(const QString &path);

    [[nodiscard]] tl::expected<LedgerCursor, StoreError> records(const LedgerSpan &span) const;

    [[nodiscard]] const SqlConnection &connection() const { return m_connection; }

private:
    explicit LedgerReader(SqlConnection connection);

    SqlConnection m_connection;
};

} // namespace headway::store
