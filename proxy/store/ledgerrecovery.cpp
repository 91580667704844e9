// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerrecovery.h"

#include "proxy/core/ledger/processdied.h"
#include "proxy/store/ledgercheckpoint.h"

#include <unordered_map>
#include <utility>

namespace headway::store {

tl::expected<std::vector<ledger::Record>, StoreError>
closingsOfLastProcess(const SqlConnection &connection, base::WallTime now)
{
    // At a process record nothing is open, whichever it is: nothing before it can matter.
    const auto from = connection.number(QStringLiteral("SELECT max(seq) FROM process"));
    if (!from)
        return tl::unexpected(from.error());

    std::unordered_map<base::TurnId, ledger::Record> started; // of the open turns
    base::WallTime lastSeen;
    ledger::Conservation conservation(1);
    LedgerSpan span;
    span.fromSeq = *from;
    span.kinds = conservationKinds();
    const auto replayed
        = replay(connection, span, conservation, [&](qint64, const ledger::Record &record) {
              lastSeen = record.at;
              if (std::holds_alternative<ledger::TurnStarted>(record.body))
                  started.insert_or_assign(record.turn, record);
              else if (std::holds_alternative<ledger::TurnEnded>(record.body))
                  started.erase(record.turn);
          });
    if (!replayed)
        return tl::unexpected(replayed.error());

    std::vector<ledger::Record> known;
    for (auto &[turn, record] : started)
        known.push_back(std::move(record));
    return ledger::closeAsProcessDied(conservation.open(), known, lastSeen, now);
}

} // namespace headway::store
