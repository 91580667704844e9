// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::ConnectionId;

// spec/heads.md section 2, reason `user`, and the pin of the Heads view.
class UserWishesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anIdleHeadGoesAtOnce();
    void aBusyOneEndsItsTurnAndLeavesNothing();
    void oneLaneOfAConnectionGoesAlone();
    void aHeadOfAnotherConnectionIsNotMeant();
    void aWholeConnectionGoesAndTakesNobodyNew();
    void aSpareMayBeSentAway();
    void aPinnedHeadGoesWhenItsUserSaysSo();
    void allHeadsOfAConnectionArePinned();
};

namespace {

struct Wishes : Timeline
{
    Wishes()
        : Timeline({.lanes = LaneMode::On})
    {
    }

    HeadId openOn(ConnectionId connection, std::string_view agent, std::string lane)
    {
        const auto input = items("U1");
        const auto opened = pool.open(request(input, agent), Decision::NewPartitionHead, connection,
                                      now, std::move(lane));
        return opened.head;
    }
    HeadId idleOn(ConnectionId connection, std::string_view agent, std::string lane)
    {
        const HeadId head = openOn(connection, agent, std::move(lane));
        end(head, "A1");
        return head;
    }
    bool isThere(std::string_view agent) const
    {
        return scan("U1 A1 U2", agent).decision == Decision::Continuation;
    }
};

const ConnectionId one{1};
const ConnectionId two{2};

} // namespace

void UserWishesTest::anIdleHeadGoesAtOnce()
{
    Wishes t;
    const HeadId head = t.idleOn(one, "a", "lane-1");
    const auto evicted = t.pool.evict(one, head);
    QCOMPARE(Timeline::told(evicted), QStringList{QStringLiteral("user 1")});
    QVERIFY(evicted.front().closes);
    QCOMPARE(t.pool.connections(), std::size_t{0});
}

void UserWishesTest::aBusyOneEndsItsTurnAndLeavesNothing()
{
    Wishes t;
    const HeadId head = t.openOn(one, "a", "lane-1");
    QVERIFY(t.pool.evict(one, head).empty());
    t.end(head, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("user 1")});
    QVERIFY(!t.isThere("a"));
}

void UserWishesTest::oneLaneOfAConnectionGoesAlone()
{
    Wishes t;
    const HeadId head = t.idleOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    const auto evicted = t.pool.evict(one, head);
    QCOMPARE(evicted.size(), std::size_t{1});
    QVERIFY(!evicted.front().closes);
    QVERIFY(!t.isThere("a"));
    QVERIFY(t.isThere("b"));
}

void UserWishesTest::aHeadOfAnotherConnectionIsNotMeant()
{
    Wishes t;
    (void)t.idleOn(one, "a", "lane-1");
    const HeadId elsewhere = t.idleOn(two, "b", "lane-1");
    QVERIFY(t.pool.evict(one, elsewhere).empty());
    QVERIFY(t.pool.evict(ConnectionId{9}).empty());
    QVERIFY(t.isThere("a") && t.isThere("b"));
}

void UserWishesTest::aWholeConnectionGoesAndTakesNobodyNew()
{
    Wishes t;
    (void)t.idleOn(one, "a", "lane-1");
    const HeadId busy = t.openOn(one, "b", "lane-2");
    QCOMPARE(Timeline::told(t.pool.evict(one)), QStringList{QStringLiteral("user 1")});
    const auto input = Timeline::items("U1");
    QVERIFY(std::holds_alternative<DialNew>(t.pool.place(t.request(input, "c"), t.now)));
    t.end(busy, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("user 2")});
    QVERIFY(t.evictions.front().closes);
}

void UserWishesTest::aSpareMayBeSentAway()
{
    Wishes t;
    (void)t.pool.addSpare(one, {}, t.now);
    const auto evicted = t.pool.evict(one);
    QCOMPARE(Timeline::told(evicted), QStringList{QStringLiteral("user 0")});
    QVERIFY(evicted.front().closes);
    QCOMPARE(t.pool.spares({}), std::size_t{0});
}

void UserWishesTest::aPinnedHeadGoesWhenItsUserSaysSo()
{
    Wishes t;
    const HeadId head = t.idleOn(one, "a", "lane-1");
    t.pool.pin(head, true);
    QCOMPARE(Timeline::told(t.pool.evict(one, head)), QStringList{QStringLiteral("user 1")});
}

void UserWishesTest::allHeadsOfAConnectionArePinned()
{
    Wishes t;
    (void)t.idleOn(one, "a", "lane-1");
    (void)t.openOn(one, "b", "lane-2");
    (void)t.idleOn(two, "c", "lane-1");
    t.pool.pinConnection(one, true);
    std::vector<bool> pinned;
    for (const HeadView &view : t.pool.views(t.now))
        pinned.push_back(view.pinned);
    QVERIFY((pinned == std::vector<bool>{true, true, false}));
    t.pass(10min);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("nursery_idle_ttl 3")});
    t.pool.pinConnection(one, false);
    QCOMPARE(t.sweep(), QStringList{QStringLiteral("nursery_idle_ttl 1")});
}

QTEST_APPLESS_MAIN(UserWishesTest)
#include "tst_userwishes.moc"
