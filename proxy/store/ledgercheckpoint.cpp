// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgercheckpoint.h"

#include "proxy/core/ledger/text.h"

#include <QSqlError>
#include <QVariant>

namespace headway::store {

namespace {

// Runs a prepared statement of a few values.
tl::expected<void, StoreError> runWith(const SqlConnection &connection, const QString &statement,
                                       const QVariantList &values)
{
    QSqlQuery query = connection.query();
    bool fine = query.prepare(statement);
    for (const QVariant &value : values)
        query.addBindValue(value);
    fine = fine && query.exec();
    if (!fine)
        return tl::unexpected(storeError(query.lastError(), connection.path()));
    return {};
}

QVariant turnCell(base::TurnId turn)
{
    return QString::fromStdString(ledger::turnText(turn));
}

// A row of checkpoint_open is an open turn where its request is 0.
tl::expected<void, StoreError> writeOpen(const SqlConnection &connection,
                                         const Checkpoint &checkpoint)
{
    const QString insert = QStringLiteral(
        "INSERT INTO checkpoint_open (seq, turn, request, admitted) VALUES (?, ?, ?, ?)");
    for (const base::TurnId turn : checkpoint.open.turns) {
        if (auto done = runWith(connection, insert, {checkpoint.seq, turnCell(turn), 0, 0}); !done)
            return done;
    }
    for (const ledger::OpenRequest &open : checkpoint.open.requests) {
        const QVariantList values{checkpoint.seq, turnCell(open.turn),
                                  static_cast<qlonglong>(open.request), open.admitted ? 1 : 0};
        if (auto done = runWith(connection, insert, values); !done)
            return done;
    }
    return {};
}

tl::expected<ledger::OpenLives, StoreError> readOpen(const SqlConnection &connection, qint64 seq)
{
    QSqlQuery query = connection.query();
    if (!query.exec(QStringLiteral("SELECT turn, request, admitted FROM checkpoint_open "
                                   "WHERE seq = %1 ORDER BY request, turn")
                        .arg(seq)))
        return tl::unexpected(storeError(query.lastError(), connection.path()));
    ledger::OpenLives open;
    while (query.next()) {
        const auto turn = ledger::parseTurn(query.value(0).toString().toStdString());
        const quint64 request = query.value(1).toULongLong();
        if (request == 0)
            open.turns.push_back(turn.value_or(base::TurnId()));
        else
            open.requests.push_back(
                {request, turn.value_or(base::TurnId()), query.value(2).toBool()});
    }
    return open;
}

} // namespace

tl::expected<void, StoreError> writeCheckpoint(const SqlConnection &connection,
                                               const Checkpoint &checkpoint)
{
    const QVariantList row{checkpoint.seq, checkpoint.reason,
                           static_cast<qlonglong>(checkpoint.lost)};
    const QString clear = QStringLiteral("DELETE FROM checkpoint_open WHERE seq = ?");
    if (auto done = runWith(connection, clear, {checkpoint.seq}); !done)
        return done;
    const QString insert
        = QStringLiteral("INSERT INTO checkpoint (seq, reason, lost) VALUES (?, ?, ?) "
                         "ON CONFLICT (seq) DO UPDATE SET lost = lost + excluded.lost");
    if (auto done = runWith(connection, insert, row); !done)
        return done;
    return writeOpen(connection, checkpoint);
}

tl::expected<void, StoreError> removeCheckpoints(const SqlConnection &connection, qint64 seq)
{
    for (const char *table : {"checkpoint", "checkpoint_open"}) {
        const QString statement
            = QStringLiteral("DELETE FROM %1 WHERE seq <= ?").arg(QLatin1String(table));
        if (auto done = runWith(connection, statement, {seq}); !done)
            return done;
    }
    return {};
}

tl::expected<std::vector<Checkpoint>, StoreError> readCheckpoints(const SqlConnection &connection)
{
    std::vector<Checkpoint> checkpoints;
    QSqlQuery query = connection.query();
    if (!query.exec(QStringLiteral("SELECT seq, reason, lost FROM checkpoint ORDER BY seq")))
        return tl::unexpected(storeError(query.lastError(), connection.path()));
    while (query.next()) {
        Checkpoint checkpoint{.seq = query.value(0).toLongLong(),
                              .reason = query.value(1).toString(),
                              .lost = query.value(2).toULongLong(),
                              .open = {}};
        auto open = readOpen(connection, checkpoint.seq);
        if (!open)
            return tl::unexpected(open.error());
        checkpoint.open = std::move(*open);
        checkpoints.push_back(std::move(checkpoint));
    }
    return checkpoints;
}

tl::expected<void, StoreError>
replay(const SqlConnection &connection, const LedgerSpan &span, ledger::Conservation &conservation,
       const std::function<void(qint64, const ledger::Record &)> &visit)
{
    const auto checkpoints = readCheckpoints(connection);
    auto cursor = LedgerCursor::open(connection, span);
    if (!checkpoints || !cursor)
        return tl::unexpected(!checkpoints ? checkpoints.error() : cursor.error());
    auto checkpoint = checkpoints->begin();
    while (checkpoint != checkpoints->end() && checkpoint->seq < span.fromSeq - 1)
        ++checkpoint; // of records before the span
    for (;;) {
        const auto more = cursor->next();
        if (!more)
            return tl::unexpected(more.error());
        // After its record, so before the next one; at the end also after the last one.
        const qint64 reached = *more ? cursor->seq() - 1 : span.toSeq;
        for (; checkpoint != checkpoints->end() && checkpoint->seq <= reached; ++checkpoint)
            conservation.resume(checkpoint->open);
        if (!*more)
            return {};
        const ledger::Record record = cursor->record();
        conservation.add(record);
        visit(cursor->seq(), record);
    }
}

std::vector<std::size_t> conservationKinds()
{
    std::vector<std::size_t> kinds;
    for (const char *name : {"turn_started", "turn", "admission", "connection", "process"})
        kinds.push_back(*ledger::findKind(name));
    return kinds;
}

} // namespace headway::store
