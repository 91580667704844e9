// SPDX-License-Identifier: GPL-3.0-or-later
// The table behind a rate setting (spec/ledger.md, "Reading"), over the figures that the reference
// system was set by (heads-and-turns-in-the-field.md, A.1) and by hand.
#include "proxy/core/ledger/evidence.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using ledger::Evidence;
using ledger::EvidenceCounter;

namespace {

// 2026-03-01T09:05:00Z, a whole minute.
constexpr base::WallTime start{base::Milliseconds(1'772'355'900'000)};

ledger::Record at(base::Milliseconds offset, ledger::Body body)
{
    return {.at = start + offset, .turn = {}, .session = {}, .agent = {}, .body = std::move(body)};
}

ledger::Record connection(base::Milliseconds offset, const char *name, std::uint64_t status = 0)
{
    ledger::Connection body;
    body.event = name;
    if (status != 0)
        body.status = status;
    return at(offset, body);
}

void open(EvidenceCounter &counter, int minute, int count)
{
    for (int i = 0; i < count; ++i)
        counter.add(connection(std::chrono::minutes(minute) + base::Milliseconds(i), "opened"));
}

ledger::Record rateChange(base::Milliseconds offset, const char *from, const char *to)
{
    return at(offset, ledger::SettingsChanged{"window", "rate_per_min", from, to});
}

QJsonObject json(const Evidence &evidence)
{
    QJsonParseError error{};
    const auto text = QByteArray::fromStdString(ledger::evidenceJson(evidence));
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("%s: %s", qPrintable(error.errorString()), text.constData());
    return document.object();
}

} // namespace

class EvidenceTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsByWallClockMinute();
    void ranksOnlyMinutesThatOpenedAny();
    void takesTheMeanOfTheTwoInTheMiddle();
    void aMinuteAtTheRateIsNotAboveIt();
    void judgesEachMinuteByTheRateSetInIt();
    void judgesAMinuteWithAChangeByTheHigherRate();
    void answersWhatAnotherRateWouldHaveMeant();
    void namesTheMinutesThatRejectionsFellIn();
    void passesOverWhatIsNoOpening();
    void isTheSameInAnyOrder();
    void passesOverARateThatIsNone();
    void saysThatThereIsNothing();
    void listsTheBusiestMinutesAndHowManyMore();
    void holdsEverythingAsJson();
};

void EvidenceTest::countsByWallClockMinute()
{
    EvidenceCounter counter;
    counter.add(connection(-1ms, "opened"));
    counter.add(connection(0ms, "opened"));
    counter.add(connection(59'999ms, "opened"));
    counter.add(connection(60'000ms, "opened"));
    const Evidence evidence = counter.evidence(1);
    QCOMPARE(evidence.minutes, 3U);
    QCOMPARE(evidence.most, 2U);
    QCOMPARE(evidence.above.size(), std::size_t{1});
    QCOMPARE(evidence.above.front().begin, start);
    QCOMPARE(evidence.from, start - 1ms);
    QCOMPARE(evidence.to, start + 60s);
}

void EvidenceTest::ranksOnlyMinutesThatOpenedAny()
{
    // 100 minutes with 1 to 100 openings, each followed by an empty one: nearest ranks are the
    // numbers themselves, the median is between 50 and 51.
    EvidenceCounter counter;
    for (int i = 1; i <= 100; ++i)
        open(counter, 2 * i, i);
    const Evidence evidence = counter.evidence(1'000);
    QCOMPARE(evidence.openings, 5'050U);
    QCOMPARE(evidence.minutes, 100U);
    QCOMPARE(evidence.median, 50.5);
    QCOMPARE(evidence.p90, 90U);
    QCOMPARE(evidence.p99, 99U);
    QCOMPARE(evidence.most, 100U);
}

void EvidenceTest::takesTheMeanOfTheTwoInTheMiddle()
{
    EvidenceCounter counter;
    open(counter, 0, 9);
    open(counter, 1, 2);
    open(counter, 2, 5);
    QCOMPARE(counter.evidence(60).median, 5.0);
    open(counter, 3, 6);
    QCOMPARE(counter.evidence(60).median, 5.5);
    QCOMPARE(counter.evidence(60).p90, 9U);
}

void EvidenceTest::aMinuteAtTheRateIsNotAboveIt()
{
    EvidenceCounter counter;
    open(counter, 0, 60);
    open(counter, 1, 61);
    const Evidence evidence = counter.evidence(60);
    QCOMPARE(evidence.above.size(), std::size_t{1});
    QCOMPARE(evidence.above.front().opened, 61U);
    QCOMPARE(evidence.above.front().rate, 60.0);
}

void EvidenceTest::judgesEachMinuteByTheRateSetInIt()
{
    EvidenceCounter counter;
    counter.add(rateChange(2min, "60", "20"));
    for (int minute = 0; minute < 5; ++minute)
        open(counter, minute, 40);
    // Before the change 60, after it 20; what is set now says nothing about then.
    const Evidence evidence = counter.evidence(500);
    QCOMPARE(evidence.rate, 500.0);
    QCOMPARE(evidence.above.size(), std::size_t{3});
    QCOMPARE(evidence.above.front().begin, start + 2min);
    QCOMPARE(evidence.above.front().rate, 20.0);
}

void EvidenceTest::judgesAMinuteWithAChangeByTheHigherRate()
{
    EvidenceCounter counter;
    counter.add(rateChange(90s, "60", "20"));
    counter.add(rateChange(150s, "20", "80"));
    for (int minute = 0; minute < 4; ++minute)
        open(counter, minute, 70);
    const Evidence evidence = counter.evidence(1);
    QCOMPARE(evidence.above.size(), std::size_t{2}); // at 60 and at 60; at 80 and at 80 they fit
    QCOMPARE(evidence.above.at(0).begin, start);
    QCOMPARE(evidence.above.at(1).begin, start + 1min);
    QCOMPARE(evidence.above.at(1).rate, 60.0);
}

void EvidenceTest::answersWhatAnotherRateWouldHaveMeant()
{
    EvidenceCounter counter;
    counter.add(rateChange(1min, "60", "20"));
    for (int minute = 0; minute < 3; ++minute)
        open(counter, minute, 40);
    QVERIFY(counter.evidenceAgainst(40).above.empty());
    QCOMPARE(counter.evidenceAgainst(39).above.size(), std::size_t{3});
}

// 39 of 40 rejections fell in the two minutes that opened 82, one in a quiet one.
void EvidenceTest::namesTheMinutesThatRejectionsFellIn()
{
    EvidenceCounter counter;
    open(counter, 0, 82);
    open(counter, 1, 82);
    open(counter, 9, 6);
    for (int i = 0; i < 20; ++i)
        counter.add(connection(1s, "rejected", 403));
    for (int i = 0; i < 18; ++i)
        counter.add(connection(61s, "rejected", 403));
    counter.add(connection(62s, "rejected", 429));
    counter.add(connection(100min, "rejected"));
    const Evidence evidence = counter.evidence(60);
    QCOMPARE(evidence.rejections, 40U);
    QCOMPARE(evidence.rejecting.size(), std::size_t{3});
    QCOMPARE(evidence.rejecting.at(0).opened, 82U);
    QCOMPARE(evidence.rejecting.at(0).rejected, 20U);
    QCOMPARE(evidence.rejecting.at(1).statuses,
             (std::map<std::uint64_t, std::uint64_t>{{403, 18}, {429, 1}}));
    QCOMPARE(evidence.rejecting.at(2).opened, 0U);
    QCOMPARE(evidence.minutes, 3U); // the last one opened nothing
    const std::string text = ledger::evidenceText(evidence);
    for (const char *part :
         {"Rejections: 40, in 3 minutes\n", "Minutes above the set rate: 2\n",
          "2026-03-01T09:06Z  82 opened, 19 rejected (403: 18, 429: 1); 60 a minute set\n",
          "0 opened, 1 rejected (no status: 1)"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
}

void EvidenceTest::passesOverWhatIsNoOpening()
{
    EvidenceCounter counter;
    for (const char *name : {"dialled", "failed", "closed", "evicted", "abandoned"})
        counter.add(connection(0s, name));
    counter.add(at(0s, ledger::Warning{"opened", "rejected"}));
    counter.add(at(0s, ledger::SettingsChanged{"window", "burst", "1", "2"}));
    QCOMPARE(counter.evidence(60).minutes, 0U);
    QCOMPARE(counter.evidence(60).rejections, 0U);
}

void EvidenceTest::isTheSameInAnyOrder()
{
    std::vector<ledger::Record> records{connection(0s, "opened"), connection(3min, "opened"),
                                        connection(3min, "rejected", 429),
                                        rateChange(2min, "5", "0.5"), connection(1min, "opened")};
    EvidenceCounter forwards;
    for (const auto &record : records)
        forwards.add(record);
    EvidenceCounter backwards;
    for (auto record = records.rbegin(); record != records.rend(); ++record)
        backwards.add(*record);
    QCOMPARE(ledger::evidenceJson(forwards.evidence(1)),
             ledger::evidenceJson(backwards.evidence(1)));
    QCOMPARE(forwards.evidence(1).above.size(), std::size_t{1});
}

void EvidenceTest::passesOverARateThatIsNone()
{
    EvidenceCounter counter;
    for (const char *text : {"", "many", "1x", "nan", "inf"})
        counter.add(rateChange(1min, text, "20"));
    open(counter, 5, 40);
    QVERIFY(counter.evidence(60).above.empty());
}

void EvidenceTest::saysThatThereIsNothing()
{
    const Evidence evidence = EvidenceCounter().evidence(60);
    const std::string text = ledger::evidenceText(evidence);
    for (const char *part : {"none was opened", "Set rate: 60 a minute", "Rejections: 0\n",
                             "Estimated ceiling: none learned"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QVERIFY(!json(evidence).contains(QLatin1String("from")));
}

void EvidenceTest::listsTheBusiestMinutesAndHowManyMore()
{
    EvidenceCounter counter;
    for (int minute = 0; minute < 5; ++minute)
        open(counter, minute, minute == 1 ? 90 : 70 + minute);
    const std::string text = ledger::evidenceText(counter.evidence(60), 2);
    QVERIFY2(text.find("2026-03-01T09:06Z  90 opened, 0 rejected; 60 a minute set\n"
                       "  2026-03-01T09:09Z  74 opened, 0 rejected; 60 a minute set\n"
                       "  and 3 minutes that opened less\n")
                 != std::string::npos,
             text.c_str());
}

void EvidenceTest::holdsEverythingAsJson()
{
    EvidenceCounter counter;
    open(counter, 0, 3);
    open(counter, 1, 2);
    counter.add(connection(1min, "rejected", 429));
    Evidence evidence = counter.evidence(2.5);
    evidence.ceilings.push_back({.shape = pacing::CeilingShape::Rate,
                                 .perMinute = 40,
                                 .spacing = 1'500ms,
                                 .confidence = 0.75,
                                 .measuredAt = start});
    const QJsonObject object = json(evidence);
    const auto expected = QJsonDocument::fromJson(R"({
        "from": "2026-03-01T09:05:00.000Z", "to": "2026-03-01T09:06:00.001Z",
        "openings": 5, "minutes_with_openings": 2,
        "openings_per_minute": {"median": 2.5, "p90": 3, "p99": 3, "max": 3},
        "set_rate_per_min": 2.5,
        "minutes_above_set_rate": [{"minute": "2026-03-01T09:05:00.000Z", "opened": 3, "rejected": 0,
                                    "statuses": {}, "set_rate_per_min": 2.5}],
        "rejections": 1,
        "minutes_with_rejections": [{"minute": "2026-03-01T09:06:00.000Z", "opened": 2, "rejected": 1,
                                     "statuses": {"429": 1}, "set_rate_per_min": 2.5}],
        "estimated_ceilings": [{"shape": "rate", "per_min": 40, "spacing_ms": 1500, "sockets": 0,
                                "confidence": 0.75, "measured_at": "2026-03-01T09:05:00.000Z"}]})");
    QCOMPARE(QJsonDocument(object).toJson(), expected.toJson());
    const std::string text = ledger::evidenceText(evidence);
    QVERIFY2(text.find("Estimated ceiling: about one opening every 1500 ms, confidence 0.75, last "
                       "evidence 2026-03-01T09:05:00.000Z\n")
                 != std::string::npos,
             text.c_str());
}

QTEST_APPLESS_MAIN(EvidenceTest)
#include "tst_evidence.moc"
