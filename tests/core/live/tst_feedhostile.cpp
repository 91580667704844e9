// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader of the feed does with messages that no Headway of this version wrote.
#include "feedsamples.h"
#include "proxy/core/live/feed.h"

#include <QTest>

using namespace headway;

class FeedHostileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anotherVersionIsRefusedWithBothNumbers();
    void whatIsNotKnownIsIgnored();
    void anErrorNamesTheMember_data();
    void anErrorNamesTheMember();
    void aCutMessageIsAnError();
    void aChangedByteNeverHarms();
    void listsHaveABound();
    void messagesHaveABound();
};

namespace {

std::string message(const std::string &members)
{
    return R"({"feed":1,"kind":"snapshot",)" + members + '}';
}

} // namespace

void FeedHostileTest::anotherVersionIsRefusedWithBothNumbers()
{
    const auto read = live::readFeed(R"({"feed":2,"kind":"snapshot","at":{"new":"form"}})");
    QVERIFY(!read && read.error().isOtherVersion);
    QCOMPARE(read.error().text, std::string("this Headway speaks feed 1, the other one 2"));
}

void FeedHostileTest::whatIsNotKnownIsIgnored()
{
    const auto read = live::readFeed(
        message(R"("weather":[1,{"deep":[]}],"turns":[{"attempt":3,"mood":"good"}],)"
                R"("records":[{"kind":"new_kind","x":[]},{"kind":"process","pid":7,"y":0}])"));
    QVERIFY(read);
    const auto &snapshot = std::get<live::Snapshot>(*read);
    QCOMPARE(snapshot.turns.at(0).attempt, std::uint32_t{3});
    QCOMPARE(snapshot.records.size(), std::size_t{1});
    QCOMPARE(std::get<ledger::Process>(snapshot.records.at(0).body).pid, std::uint64_t{7});
    const auto other = live::readFeed(R"({"feed":1,"kind":"song"})");
    QVERIFY(other && std::holds_alternative<std::monostate>(*other));
}

void FeedHostileTest::anErrorNamesTheMember_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char *members, const char *error) {
        QTest::newRow(members) << QByteArray::fromStdString(message(members)) << QByteArray(error);
    };
    row(R"("turns":[{},{},{"phase":"asleep"}])", "turns[2].phase is no word");
    row(R"("turns":[{"turn":"req_1"}])", "turns[0].turn is not the id");
    row(R"("turns":[{"held":1}])", "turns[0].held is neither true nor false");
    row(R"("turns":[{"spent_ms":[1,2]}])", "turns[0].spent_ms is no list of 6");
    row(R"("turns":[{"spent_ms":[1,2,3,"4",5,6]}])", "turns[0].spent_ms[3] is not a whole number");
    row(R"("turns":[{"attempt":4294967296}])", "turns[0].attempt is not a whole number");
    row(R"("turns":[{"queue_place":-1}])", "turns[0].queue_place is not a whole number");
    row(R"("turns":[{"age_ms":9000000000000000000}])", "turns[0].age_ms is not a whole number");
    row(R"("turns":[7])", "turns[0] is not an object");
    row(R"("turns":{})", "turns is not a list");
    row(R"("heads":[{"lane":null}])", "heads[0].lane is not a text");
    row(R"("seconds":[{"second":-5}])", "seconds[0].second is not a whole number");
    row(R"("seconds":[{"wait_p50_ms":1e999}])", "seconds[0].wait_p50_ms is not a number");
    row(R"("at":"yesterday")", "at is not a time");
    row(R"("at":"2026-02-30T00:00:00Z")", "at is not a time");
    row(R"("settings":{"burst":{"locked":"no"}})", "settings.burst.locked is neither");
    row(R"("settings":[])", "settings is not an object");
    row(R"("records":[{"kind":"turn","bytes_in":"many"}])", "records[0].bytes_in is not what");
    row(R"("records":[{"kind":"turn","time":"never"}])", "records[0].time is not what");
    row(R"("records":[{"pid":1}])", "records[0] is no record");
    row(R"("effective_retries":3000000000)", "effective_retries is not a whole number");
    row(R"("overrides":{"held_sessions":[1]})", "overrides.held_sessions[0] is not a text");
    const auto whole = [](const char *text, const char *error) {
        QTest::newRow(*text == 0 ? "empty" : text) << QByteArray(text) << QByteArray(error);
    };
    whole("[]", "the message names no version");
    whole(R"({"feed":"1","kind":"snapshot"})", "the message names no version");
    whole(R"({"feed":1})", "the message does not say its kind");
    whole(R"({"feed":1,"kind":"refused","reason":[]})", "reason is not a text");
    whole("", "the message is no JSON");
}

void FeedHostileTest::anErrorNamesTheMember()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const auto read = live::readFeed(text.toStdString());
    QVERIFY(!read && !read.error().isOtherVersion);
    QVERIFY2(QByteArray::fromStdString(read.error().text).startsWith(error),
             read.error().text.c_str());
}

void FeedHostileTest::aCutMessageIsAnError()
{
    const std::string text = live::writeFeed(tests::populated());
    for (std::size_t length = 0; length < text.size(); ++length)
        QVERIFY(!live::readFeed(std::string_view(text).substr(0, length)));
}

void FeedHostileTest::aChangedByteNeverHarms()
{
    const std::string text = live::writeFeed(tests::populated());
    base::Random random(3);
    std::size_t refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string changed = text;
        changed[random.next() % changed.size()] = static_cast<char>(random.next() & 0xffU);
        if (!live::readFeed(changed))
            ++refused;
    }
    QVERIFY(refused > 10'000); // most of them are noticed; the others change a text or a digit
}

void FeedHostileTest::listsHaveABound()
{
    std::string rows = "{}";
    for (std::size_t i = 1; i < live::mostFeedRows; ++i)
        rows += ",{}";
    QVERIFY(live::readFeed(message("\"heads\":[" + rows + ']')));
    const auto over = live::readFeed(message("\"heads\":[" + rows + ",{}]"));
    QVERIFY(!over);
    QCOMPARE(over.error().text, std::string("heads is a list of more than 20000"));
    live::Snapshot full;
    full.notices.assign(live::mostFeedRows + 1, "x");
    const auto cut = live::readFeed(live::writeFeed(full));
    QVERIFY(cut);
    QCOMPARE(std::get<live::Snapshot>(*cut).notices.size(), live::mostFeedRows);
}

void FeedHostileTest::messagesHaveABound()
{
    const std::string text = message("\"why\":\"" + std::string(live::mostFeedBytes, 'x') + '"');
    const auto read = live::readFeed(text);
    QVERIFY(!read);
    QCOMPARE(read.error().text, std::string("the message is longer than the feed allows"));
}

QTEST_GUILESS_MAIN(FeedHostileTest)
#include "tst_feedhostile.moc"
