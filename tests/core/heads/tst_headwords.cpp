// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/decision.h"

#include <QTest>

#include <vector>

using namespace headway::heads;

// The words are those of spec/heads.md, in the order of the enumerations' documentation.
class HeadWordsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decisionsAreTheWordsOfSection4();
    void placesAreTheWordsOfSection4();
    void generationsAreTheWordsOfSection2();
    void rescanOutcomesAreTheWordsOfSection5AndEmptyWhenItDidNotRun();
    void evictionReasonsAreTheWordsOfSection2();
    void matchModesAreTold();
};

namespace {

template <typename Enum>
QStringList words(std::initializer_list<Enum> values)
{
    QStringList list;
    for (const Enum value : values)
        list << QString::fromUtf8(QByteArray::fromStdString(std::string(name(value))));
    return list;
}

QStringList split(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

} // namespace

void HeadWordsTest::decisionsAreTheWordsOfSection4()
{
    using enum Decision;
    QCOMPARE(words({Continuation, ExpectedHead, Fork, ParallelIsolated, HistoryMismatchNewHead,
                    NewPartitionHead, Unpartitioned}),
             split("continuation expected_head fork parallel_isolated history_mismatch_new_head "
                   "new_partition_head unpartitioned"));
}

void HeadWordsTest::placesAreTheWordsOfSection4()
{
    using enum Place;
    QCOMPARE(words({Same, Lane, Spare, Dialled}), split("same lane spare dialled"));
}

void HeadWordsTest::generationsAreTheWordsOfSection2()
{
    using enum Generation;
    QCOMPARE(words({Nursery, Established, Isolated}), split("nursery established isolated"));
}

void HeadWordsTest::rescanOutcomesAreTheWordsOfSection5AndEmptyWhenItDidNotRun()
{
    using enum RescanOutcome;
    QCOMPARE(words({Continuation, ParallelIsolated, Reinstated, NoChange}),
             split("continuation parallel_isolated reinstated no_change"));
    QVERIFY(name(NotRun).empty());
}

void HeadWordsTest::evictionReasonsAreTheWordsOfSection2()
{
    using enum EvictionReason;
    QCOMPARE(
        words({HardTtl, IdleTtl, NurseryIdleTtl, EstablishedLruCap, NurseryLruCap, SocketCap,
               PeerClosed, ProbeFailed, FailedTurn, CredentialRejected, Settings, User,
               IsolatedDone}),
        split("hard_ttl idle_ttl nursery_idle_ttl established_lru_cap nursery_lru_cap socket_cap "
              "peer_closed probe_failed failed_turn credential_rejected settings user "
              "isolated_done"));
}

void HeadWordsTest::matchModesAreTold()
{
    using enum MatchMode;
    QCOMPARE(words({None, Exact, ReasoningOmitted}), split("none exact reasoning_omitted"));
}

QTEST_APPLESS_MAIN(HeadWordsTest)
#include "tst_headwords.moc"
