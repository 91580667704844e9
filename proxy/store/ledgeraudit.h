// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/conservation.h"
#include "proxy/store/sqlconnection.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <limits>
#include <tl/expected.hpp>

namespace headway::store {

// Goes over a ledger from its oldest record on, as far as is asked at a time, and says what
// disagrees: the numbering without gaps, and conservation (spec/ledger.md). What was gone over is
// not read again. A ledger that begins anew (the file was set aside) is gone over from its start.
class LedgerAudit final
{
public:
    using Visit = std::function<void(const ledger::Record &)>;

    // `remembered`: ended lives that are known by name (ledger::Conservation).
    explicit LedgerAudit(std::size_t remembered);

    // At most so many numbers further; to each record `visit`, where there is one.
    tl::expected<void, StoreError> goOn(const SqlConnection &connection,
                                        qint64 most = std::numeric_limits<qint64>::max(),
                                        const Visit &visit = {});

    [[nodiscard]] bool isAtEnd() const { return m_read > m_last; }
    [[nodiscard]] double share() const; // of the ledger, 0 to 1
    [[nodiscard]] const ledger::Conservation &conservation() const { return m_conservation; }
    [[nodiscard]] quint64 lost() const { return m_lost; } // by the ledger's own account
    [[nodiscard]] quint64 missing() const { return m_missing; } // that nothing accounts for
    [[nodiscard]] quint64 disagreementCount() const;
    [[nodiscard]] QStringList disagreements() const; // the first hundred, in words

private:
    tl::expected<void, StoreError> findEnds(const SqlConnection &connection);
    void expect(qint64 seq);

    std::size_t m_remembered;
    ledger::Conservation m_conservation;
    qint64 m_first = 0; // 0: nothing was looked at yet
    qint64 m_read = 0; // up to here, exclusive
    qint64 m_next = 0; // the number that must come
    qint64 m_last = 0;
    quint64 m_lost = 0;
    quint64 m_missing = 0;
    quint64 m_gapCount = 0;
    QStringList m_gaps;
};

} // namespace headway::store
