// SPDX-License-Identifier: GPL-3.0-or-later
// What a late or slow reader of snapshots can still be told.
#include "proxy/core/live/history.h"

#include <QTest>

using namespace headway;
using live::History;
using live::Snapshot;

class HistoryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLateReaderIsToldAll();
    void aSlowReaderIsToldWhatItMissed();
    void aSecondToldAgainIsToldOnceAndAsItIsNow();
    void recordsAreKeptOnlyForReaders();
    void itIsBounded();
};

namespace {

Snapshot telling(std::int64_t number)
{
    Snapshot snapshot;
    snapshot.waiting = static_cast<std::uint32_t>(number);
    snapshot.seconds.push_back({});
    snapshot.seconds.back().second = number;
    snapshot.changes.push_back({{}, std::to_string(number), {}, {}, {}});
    ledger::Record record;
    record.turn = base::TurnId{static_cast<std::uint64_t>(number)};
    snapshot.records.push_back(record);
    return snapshot;
}

// The numbers of what was told, if seconds, changes and records agree.
std::vector<std::int64_t> told(const Snapshot &snapshot)
{
    std::vector<std::int64_t> numbers;
    for (const live::SecondStats &second : snapshot.seconds)
        numbers.push_back(second.second);
    std::vector<std::int64_t> changes;
    for (const live::ChangeMark &change : snapshot.changes)
        changes.push_back(std::stoll(change.key));
    std::vector<std::int64_t> records;
    for (const ledger::Record &record : snapshot.records)
        records.push_back(static_cast<std::int64_t>(record.turn.value()));
    return changes == numbers && records == numbers ? numbers : std::vector<std::int64_t>{-1};
}

} // namespace

void HistoryTest::aLateReaderIsToldAll()
{
    History history;
    for (int i = 1; i <= 3; ++i)
        history.add(telling(i), true);
    const Snapshot whole = history.since(telling(3), 0);
    QCOMPARE(told(whole), (std::vector<std::int64_t>{1, 2, 3}));
    QCOMPARE(whole.waiting, std::uint32_t{3}); // the state is the last one's
}

void HistoryTest::aSlowReaderIsToldWhatItMissed()
{
    History history;
    for (int i = 1; i <= 2; ++i)
        history.add(telling(i), true);
    const std::uint64_t last = history.newest();
    for (int i = 3; i <= 5; ++i)
        history.add(telling(i), true);
    QCOMPARE(told(history.since(telling(5), last)), (std::vector<std::int64_t>{3, 4, 5}));
    QVERIFY(told(history.since(telling(5), history.newest())).empty());
}

void HistoryTest::aSecondToldAgainIsToldOnceAndAsItIsNow()
{
    History history;
    Snapshot snapshot = telling(7);
    history.add(snapshot, true);
    const std::uint64_t last = history.newest();
    snapshot.seconds.front().continued = 9;
    history.add(snapshot, true);
    const auto seconds = history.since(snapshot, 0).seconds;
    QCOMPARE(seconds.size(), std::size_t{1});
    QCOMPARE(seconds.front().continued, std::uint32_t{9});
    QCOMPARE(history.since(snapshot, last).seconds.size(), std::size_t{1}); // it changed since
}

void HistoryTest::recordsAreKeptOnlyForReaders()
{
    History history;
    history.add(telling(1), false);
    history.add(telling(2), true);
    QCOMPARE(history.since(telling(2), 0).records.size(), std::size_t{1});
    history.dropRecords();
    QVERIFY(history.since(telling(2), 0).records.empty());
    QCOMPARE(history.since(telling(2), 0).seconds.size(), std::size_t{2});
}

void HistoryTest::itIsBounded()
{
    History history;
    for (int i = 1; i <= 6'000; ++i)
        history.add(telling(i), true);
    const Snapshot whole = history.since(telling(6'000), 0);
    QCOMPARE(whole.seconds.size(), std::size_t{3'600}); // an hour, as the charts have
    QCOMPARE(whole.seconds.back().second, std::int64_t{6'000});
    QCOMPARE(whole.changes.size(), History::mostChanges);
    QCOMPARE(whole.changes.back().key, std::string("6000"));
    QCOMPARE(whole.records.size(), History::mostRecords);
    QCOMPARE(whole.records.back().turn, base::TurnId{6'000});
}

QTEST_GUILESS_MAIN(HistoryTest)
#include "tst_history.moc"
