// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/conservation.h"
#include "proxy/store/ledgercursor.h"
#include "proxy/store/sqlconnection.h"

#include <QString>

#include <functional>
#include <tl/expected.hpp>
#include <vector>

namespace headway::store {

// What was open after record `seq`, written where records before that point are missing for a known
// reason. It keeps conservation exact: an end whose beginning is gone for good is no disagreement.
struct Checkpoint
{
    qint64 seq = 0;
    QString reason{}; // retention, new_file or lost
    quint64 lost = 0; // records that never reached the file
    ledger::OpenLives open{};
};

// Inside the caller's transaction. Joins an earlier one at the same record: the reason is the first
// one's, the losses are added, what is open is as given.
tl::expected<void, StoreError> writeCheckpoint(const SqlConnection &connection,
                                               const Checkpoint &checkpoint);
// Removes those up to and including `seq`; inside the caller's transaction.
tl::expected<void, StoreError> removeCheckpoints(const SqlConnection &connection, qint64 seq);

[[nodiscard]] tl::expected<std::vector<Checkpoint>, StoreError>
readCheckpoints(const SqlConnection &connection);

// Feeds the records of the span to the checker, checkpoints at their places, and each record to
// `visit` besides. Only the kinds named by the span, which must be all that conservation looks at.
tl::expected<void, StoreError>
replay(const SqlConnection &connection, const LedgerSpan &span, ledger::Conservation &conservation,
       const std::function<void(qint64, const ledger::Record &)> &visit);

// The kinds that begin or end something.
[[nodiscard]] std::vector<std::size_t> conservationKinds();

} // namespace headway::store
