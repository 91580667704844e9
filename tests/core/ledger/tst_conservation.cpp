// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/conservation.h"

#include <QTest>

#include <vector>

using namespace headway;
using ledger::Conservation;
using ledger::Record;
using ledger::Violation;

using Records = std::vector<Record>;
using Violations = std::vector<Violation>;
Q_DECLARE_METATYPE(Records)
Q_DECLARE_METATYPE(Violations)

class ConservationTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsEveryLegalLife_data();
    void acceptsEveryLegalLife();
    void findsEveryViolation_data();
    void findsEveryViolation();
    void countsBeginningsAndEnds();
    void listsWhatIsOpen();
    void goesOnFromAGivenState();
    void keepsNoMoreThanItMayOfEndedLives();
    void reportsNoMoreThanAHundredButCountsAll();
    void describesADisagreementInWords();
};

namespace {

Record record(std::uint64_t turn, ledger::Body body)
{
    return {.at = base::WallTime(base::Milliseconds(1'772'355'907'042)),
            .turn = base::TurnId(turn),
            .session = {},
            .agent = {},
            .body = std::move(body)};
}

Record begins(std::uint64_t turn)
{
    return record(turn, ledger::TurnStarted{});
}

Record ends(std::uint64_t turn, std::string how = "completed")
{
    ledger::TurnEnded body;
    body.end = std::move(how);
    return record(turn, body);
}

Record asks(std::uint64_t request, std::string outcome, std::uint64_t turn = 1)
{
    ledger::Admission body;
    body.outcome = std::move(outcome);
    body.request = request;
    return record(turn, body);
}

Record dial(std::uint64_t request, std::string event)
{
    ledger::Connection body;
    body.event = std::move(event);
    body.request = request;
    return record(1, body);
}

Record process(std::string event)
{
    return record(0, ledger::Process{std::move(event), "0.1.0", 1});
}

Conservation checked(const Records &records)
{
    Conservation conservation;
    for (const Record &each : records)
        conservation.add(each);
    return conservation;
}

} // namespace

void ConservationTest::acceptsEveryLegalLife_data()
{
    QTest::addColumn<Records>("records");
    for (const char *end : {"completed", "client_gone", "refused", "failed", "process_died"})
        QTest::newRow(end) << Records{begins(1), ends(1, end)};
    QTest::newRow("turns overlap") << Records{begins(1), begins(2), ends(1), ends(2)};
    QTest::newRow("refused on arrival") << Records{asks(7, "refused")};
    QTest::newRow("queued, refused") << Records{asks(7, "queued"), asks(7, "refused")};
    QTest::newRow("queued, cancelled") << Records{asks(7, "queued"), asks(7, "cancelled")};
    QTest::newRow("at once, returned") << Records{asks(7, "admitted"), asks(7, "returned")};
    QTest::newRow("at once, cancelled") << Records{asks(7, "admitted"), asks(7, "cancelled")};
    for (const char *end : {"opened", "rejected", "failed"}) {
        QTest::addRow("at once, %s", end)
            << Records{asks(7, "admitted"), dial(7, "dialled"), dial(7, end)};
        QTest::addRow("queued, admitted, %s", end)
            << Records{asks(7, "queued"), asks(7, "admitted"), dial(7, "dialled"), dial(7, end)};
    }
    QTest::newRow("queued, died") << Records{asks(7, "queued"), asks(7, "process_died")};
    QTest::newRow("dialled, died")
        << Records{asks(7, "admitted"), dial(7, "dialled"), asks(7, "process_died")};
    QTest::newRow("a connection lives on after its request")
        << Records{asks(7, "admitted"), dial(7, "opened"), dial(7, "closed"), dial(7, "evicted")};
    QTest::newRow("a recovery has no request")
        << Records{dial(0, "dialled"), dial(0, "opened"), dial(0, "failed")};
    QTest::newRow("tickets are no ends")
        << Records{asks(7, "ticket_issued"), asks(7, "ticket_used")};
    QTest::newRow("request ids begin anew")
        << Records{process("started"), asks(1, "refused"), process("stopped"), process("started"),
                   asks(1, "refused")};
    QTest::newRow("a death that was closed") << Records{
        process("started"),      begins(1),         asks(7, "queued"), asks(7, "process_died"),
        ends(1, "process_died"), process("started")};
    QTest::newRow("other kinds do not count")
        << Records{record(1, ledger::HeadDecided{}), record(1, ledger::Retry{}),
                   record(0, ledger::Warning{}), record(0, ledger::SettingsChanged{})};
}

void ConservationTest::acceptsEveryLegalLife()
{
    QFETCH(const Records, records);
    const Conservation conservation = checked(records);
    QVERIFY(conservation.isConserved());
    QCOMPARE(conservation.disagreements().size(), std::size_t{0});
    QCOMPARE(conservation.open(), ledger::OpenLives{});
    QCOMPARE(conservation.totals().records, std::uint64_t{records.size()});
}

void ConservationTest::findsEveryViolation_data()
{
    using enum Violation;
    QTest::addColumn<Records>("records");
    QTest::addColumn<Violations>("expected");
    const auto row = [](const char *name, const Records &records, const Violations &expected) {
        QTest::newRow(name) << records << expected;
    };
    row("turn begun twice", {begins(1), begins(1), ends(1)}, {BegunAgain});
    row("turn begun after its end", {begins(1), ends(1), begins(1)}, {BegunAgain});
    row("turn ended twice", {begins(1), ends(1), ends(1)}, {EndedAgain});
    row("turn ended in two ways", {begins(1), ends(1), ends(1, "process_died")}, {EndedAgain});
    row("turn ended unbegun", {ends(1)}, {EndedUnbegun});
    row("turn without id", {begins(0)}, {Unnamed});
    row("end without id", {ends(0)}, {Unnamed});
    row("turn with an unknown end", {begins(1), ends(1, "done")}, {Unnamed});
    row("turn open at a stop", {begins(1), process("stopped")}, {LeftOpen});
    row("turn open at a start", {process("started"), begins(1), process("started")}, {LeftOpen});
    row("request queued twice", {asks(7, "queued"), asks(7, "queued"), asks(7, "refused")},
        {BegunAgain});
    row("request admitted twice", {asks(7, "admitted"), asks(7, "admitted"), dial(7, "opened")},
        {BegunAgain});
    row("request queued after admission",
        {asks(7, "admitted"), asks(7, "queued"), dial(7, "opened")}, {BegunAgain});
    row("request begun after its end", {asks(7, "refused"), asks(7, "queued"), asks(7, "refused")},
        {BegunAgain});
    row("refused twice", {asks(7, "refused"), asks(7, "refused")}, {EndedAgain});
    row("returned twice", {asks(7, "admitted"), asks(7, "returned"), asks(7, "returned")},
        {EndedAgain});
    row("opened and failed", {asks(7, "admitted"), dial(7, "opened"), dial(7, "failed")},
        {EndedAgain});
    row("returned and opened", {asks(7, "admitted"), asks(7, "returned"), dial(7, "opened")},
        {EndedAgain});
    row("cancelled unbegun", {asks(7, "cancelled")}, {EndedUnbegun});
    row("returned unbegun", {asks(7, "returned")}, {EndedUnbegun});
    row("died unbegun", {asks(7, "process_died")}, {EndedUnbegun});
    row("opened unbegun", {dial(7, "opened")}, {EndedUnbegun});
    row("dialled unasked", {dial(7, "dialled")}, {NotAdmitted});
    row("dialled from the queue", {asks(7, "queued"), dial(7, "dialled"), asks(7, "cancelled")},
        {NotAdmitted});
    row("opened from the queue", {asks(7, "queued"), dial(7, "opened")}, {NotAdmitted});
    row("returned from the queue", {asks(7, "queued"), asks(7, "returned")}, {NotAdmitted});
    row("request without id", {asks(0, "admitted")}, {Unnamed});
    row("unknown outcome", {asks(7, "opened")}, {Unnamed});
    row("request open at a stop", {asks(7, "admitted"), process("stopped")}, {LeftOpen});
    row("request open at a start", {asks(7, "queued"), process("started")}, {LeftOpen});
    row("both open", {begins(1), asks(7, "queued"), process("stopped")}, {LeftOpen, LeftOpen});
    row("reported once", {begins(1), process("stopped"), process("started")}, {LeftOpen});
}

void ConservationTest::findsEveryViolation()
{
    QFETCH(const Records, records);
    QFETCH(const Violations, expected);
    const Conservation conservation = checked(records);
    Violations found;
    for (const ledger::Disagreement &disagreement : conservation.disagreements())
        found.push_back(disagreement.violation);
    QCOMPARE(found, expected);
    QCOMPARE(conservation.totals().disagreements, std::uint64_t{expected.size()});
    QVERIFY(!conservation.isConserved());
}

void ConservationTest::countsBeginningsAndEnds()
{
    const Conservation conservation
        = checked({begins(1), begins(2), begins(3), ends(1), ends(2, "failed"), asks(1, "refused"),
                   asks(2, "queued"), asks(2, "admitted"), dial(2, "opened"), asks(3, "admitted"),
                   dial(3, "rejected"), asks(4, "queued")});
    const ledger::ConservationTotals &totals = conservation.totals();
    QCOMPARE(totals.records, 12U);
    QCOMPARE(totals.turnsBegun, 3U);
    QCOMPARE(totals.turnsEnded, (std::array<std::uint64_t, 5>{1, 0, 0, 1, 0}));
    QCOMPARE(totals.requestsBegun, 4U);
    // refused, cancelled, returned, opened, rejected, failed, process_died
    QCOMPARE(totals.requestsEnded, (std::array<std::uint64_t, 7>{1, 0, 0, 1, 1, 0, 0}));
}

void ConservationTest::listsWhatIsOpen()
{
    const Conservation conservation = checked(
        {begins(9), begins(2), begins(5), ends(5), asks(7, "queued", 9), asks(4, "admitted", 2)});
    const ledger::OpenLives expected{.turns = {base::TurnId(2), base::TurnId(9)},
                                     .requests
                                     = {{4, base::TurnId(2), true}, {7, base::TurnId(9), false}}};
    QCOMPARE(conservation.open(), expected);
}

void ConservationTest::goesOnFromAGivenState()
{
    Conservation conservation = checked({begins(1), asks(7, "queued")});
    conservation.resume({.turns = {base::TurnId(2)}, .requests = {{8, base::TurnId(2), true}}});
    conservation.add(ends(2));
    conservation.add(dial(8, "opened"));
    QVERIFY(conservation.isConserved());
    QCOMPARE(conservation.open(), ledger::OpenLives{});
    conservation.add(ends(1)); // not open any more
    QVERIFY(!conservation.isConserved());
}

void ConservationTest::keepsNoMoreThanItMayOfEndedLives()
{
    Conservation conservation(2);
    for (std::uint64_t turn = 1; turn <= 3; ++turn) {
        conservation.add(begins(turn));
        conservation.add(ends(turn));
    }
    conservation.add(ends(3));
    conservation.add(ends(1)); // forgotten, and found all the same
    QCOMPARE(conservation.disagreements().at(0).violation, Violation::EndedAgain);
    QCOMPARE(conservation.disagreements().at(1).violation, Violation::EndedUnbegun);
}

void ConservationTest::reportsNoMoreThanAHundredButCountsAll()
{
    Conservation conservation;
    for (std::uint64_t turn = 1; turn <= 250; ++turn)
        conservation.add(ends(turn));
    QCOMPARE(conservation.disagreements().size(), std::size_t{100});
    QCOMPARE(conservation.totals().disagreements, 250U);
}

void ConservationTest::describesADisagreementInWords()
{
    const Conservation conservation = checked({ends(0xab, "failed"), dial(7, "opened")});
    QCOMPARE(ledger::describe(conservation.disagreements().at(0)),
             std::string("2026-03-01T09:05:07.042Z turn req_00000000000000ab ended without having "
                         "begun (failed)"));
    QCOMPARE(ledger::describe(conservation.disagreements().at(1)),
             std::string(
                 "2026-03-01T09:05:07.042Z admission request 7 of turn req_0000000000000001 ended "
                 "without having begun (opened)"));
}

QTEST_APPLESS_MAIN(ConservationTest)
#include "tst_conservation.moc"
