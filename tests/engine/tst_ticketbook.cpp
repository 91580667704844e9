// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger says of every ticket of policy auto whose it was when its slot passed unused.
#include "proxy/engine/ticketbook.h"

#include <QTest>

#include <memory>

using namespace headway;
using namespace std::chrono_literals;
using engine::Recorder;
using engine::TicketBook;

namespace {

base::Now at(base::Nanoseconds time)
{
    return {base::SteadyTime(1h + time),
            base::WallTime(1'790'000'000s) + std::chrono::duration_cast<base::Milliseconds>(time)};
}

} // namespace

class TicketBookTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void anUnusedSlotIsRecordedOnceForTheTurnThatWasRefused();
    void aUsedTicketDoesNotExpire();
    void aSecondTicketEndsTheFirst();

private:
    std::unique_ptr<pacing::Pacer> m_pacer;
    std::vector<std::string> expiredAt(base::Nanoseconds time)
    {
        m_book.recordLapsed(*m_pacer, m_recorder, at(time));
        std::vector<std::string> out;
        for (const ledger::Record &record : m_recorder.takeForLedger()) {
            const auto &admission = std::get<ledger::Admission>(record.body);
            out.push_back(admission.outcome + " " + std::to_string(record.turn.value()) + " "
                          + record.session + " " + record.agent + " "
                          + std::to_string(admission.request));
        }
        return out;
    }

    TicketBook m_book;
    Recorder m_recorder;
    base::Nanoseconds m_lapses{0};
};

// One opening a minute, taken; the second turn's deadline ends before the next: refused at 2 s with
// a ticket, which is held until 30 % of the hint and 2 s after its slot (spec/pacing.md section 7).
void TicketBookTest::init()
{
    m_book = {};
    m_pacer = pacing::makePacer(
        {.policy = pacing::Policy::Auto, .ratePerMinute = 1, .ratePinned = true}, at(0s));
    pacing::AdmissionRequest request{.id = pacing::WaiterId(1), .budget = {}};
    (void)m_pacer->request(request, at(0s));
    m_pacer->settle(pacing::WaiterId(1));
    m_pacer->opened(pacing::WaiterId(1), at(1ms));
    request.id = pacing::WaiterId(2);
    request.ticketKey = 77;
    request.idleDeadline = at(6s).steady;
    (void)m_pacer->request(request, at(500ms));
    const auto left = m_pacer->due(at(2s));
    const auto &refusal = std::get<pacing::Refused>(left.at(0).outcome);
    QVERIFY(refusal.slot);
    m_lapses = *refusal.slot - at(0s).steady + refusal.hint * 3 / 10 + 2s;
    ledger::Admission issued;
    issued.outcome = "ticket_issued";
    issued.request = 2;
    m_book.issued(77, {base::TurnId(5), "s", "a", issued}, m_recorder, at(2s));
}

void TicketBookTest::anUnusedSlotIsRecordedOnceForTheTurnThatWasRefused()
{
    QVERIFY(expiredAt(m_lapses - 1ms).empty());
    QCOMPARE(expiredAt(m_lapses), std::vector<std::string>{"ticket_expired 5 s a 2"});
    QVERIFY(expiredAt(240s).empty());
}

void TicketBookTest::aUsedTicketDoesNotExpire()
{
    m_book.used(77);
    QVERIFY(expiredAt(120s).empty());
}

void TicketBookTest::aSecondTicketEndsTheFirst()
{
    ledger::Admission again;
    again.outcome = "ticket_issued";
    again.request = 9;
    m_book.issued(77, {base::TurnId(8), "s", "a", again}, m_recorder, at(3s));
    QCOMPARE(expiredAt(4s), std::vector<std::string>{"ticket_expired 5 s a 2"});
    QCOMPARE(expiredAt(m_lapses), std::vector<std::string>{"ticket_expired 8 s a 9"});
}

QTEST_APPLESS_MAIN(TicketBookTest)
#include "tst_ticketbook.moc"
