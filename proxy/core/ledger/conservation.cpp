// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/conservation.h"

#include "proxy/core/base/overloaded.h"

#include <algorithm>
#include <optional>

namespace headway::ledger {

namespace {

constexpr std::size_t mostFound = 100;
constexpr std::array<std::string_view, turnEnds> turnEndNames{"completed", "client_gone", "refused",
                                                              "failed", "process_died"};
constexpr std::array<std::string_view, requestEnds> requestEndNames{
    "refused", "cancelled", "returned", "opened", "rejected", "failed", "process_died"};

template <typename End, std::size_t N>
std::optional<End> endNamed(const std::array<std::string_view, N> &names, std::string_view word)
{
    const auto found = std::ranges::find(names, word);
    if (found == names.end())
        return std::nullopt;
    return static_cast<End>(found - names.begin());
}

// Outcomes of an admission record that end the request; the others come with connections.
std::optional<RequestEnd> admissionEnd(std::string_view outcome)
{
    const auto end = endNamed<RequestEnd>(requestEndNames, outcome);
    if (end == RequestEnd::Opened || end == RequestEnd::Rejected || end == RequestEnd::Failed)
        return std::nullopt;
    return end;
}

std::optional<RequestEnd> connectionEnd(std::string_view event)
{
    const auto end = endNamed<RequestEnd>(requestEndNames, event);
    if (end == RequestEnd::Opened || end == RequestEnd::Rejected || end == RequestEnd::Failed)
        return end;
    return std::nullopt;
}

bool needsAdmission(RequestEnd end)
{
    return end == RequestEnd::Returned || end == RequestEnd::Opened || end == RequestEnd::Rejected
        || end == RequestEnd::Failed;
}

std::size_t index(auto end)
{
    return static_cast<std::size_t>(end);
}

} // namespace

std::string_view name(TurnEnd end)
{
    return turnEndNames[index(end)];
}

std::string_view name(RequestEnd end)
{
    return requestEndNames[index(end)];
}

Conservation::Conservation(std::size_t remembered)
    : m_endedTurns(remembered)
    , m_endedRequests(remembered)
{
}

void Conservation::add(const Record &record)
{
    ++m_totals.records;
    std::visit(base::Overloaded{
                   [&](const TurnStarted &) { begin(record); },
                   [&](const TurnEnded &body) { end(record, body); },
                   [&](const Admission &body) { admit(record, body); },
                   [&](const Connection &body) { connect(record, body); },
                   [&](const Process &body) { closeProcess(record, body); },
                   [](const auto &) {},
               },
               record.body);
}

void Conservation::resume(const OpenLives &open)
{
    m_turns.clear();
    m_requests.clear();
    for (const base::TurnId turn : open.turns)
        m_turns.insert(turn.value());
    for (const OpenRequest &request : open.requests)
        m_requests.emplace(request.request, Request{request.turn, request.admitted});
}

OpenLives Conservation::open() const
{
    OpenLives open;
    for (const std::uint64_t turn : m_turns)
        open.turns.emplace_back(turn);
    for (const auto &[id, request] : m_requests)
        open.requests.push_back({id, request.turn, request.admitted});
    return open;
}

void Conservation::begin(const Record &record)
{
    ++m_totals.turnsBegun;
    const std::uint64_t turn = record.turn.value();
    if (turn == 0)
        report(Violation::Unnamed, record, 0, "turn_started");
    else if (m_endedTurns.contains(turn) || !m_turns.insert(turn).second)
        report(Violation::BegunAgain, record, 0, "turn_started");
}

void Conservation::end(const Record &record, const TurnEnded &turn)
{
    const auto end = endNamed<TurnEnd>(turnEndNames, turn.end);
    if (!end || record.turn == base::TurnId())
        report(Violation::Unnamed, record, 0, turn.end);
    if (end)
        ++m_totals.turnsEnded[index(*end)];
    const std::uint64_t id = record.turn.value();
    if (id == 0)
        return;
    if (m_turns.erase(id) == 0) {
        const bool again = m_endedTurns.contains(id);
        report(again ? Violation::EndedAgain : Violation::EndedUnbegun, record, 0, turn.end);
    }
    m_endedTurns.add(id);
}

void Conservation::admit(const Record &record, const Admission &admission)
{
    // Tickets (spec/ledger.md) are neither a beginning nor an end.
    if (admission.outcome.starts_with("ticket_"))
        return;
    const auto end = admissionEnd(admission.outcome);
    if (admission.request == 0)
        report(Violation::Unnamed, record, 0, admission.outcome);
    else if (end)
        endRequest(record, admission.request, *end, admission.outcome);
    else if (admission.outcome == "admitted" || admission.outcome == "queued")
        beginRequest(record, admission);
    else
        report(Violation::Unnamed, record, admission.request, admission.outcome);
}

void Conservation::beginRequest(const Record &record, const Admission &admission)
{
    const bool admitted = admission.outcome == "admitted";
    const auto [place, isNew] = m_requests.try_emplace(admission.request);
    Request &request = place->second;
    if (isNew)
        ++m_totals.requestsBegun;
    const bool leavesQueue = !isNew && admitted && !request.admitted;
    if ((!isNew && !leavesQueue) || (isNew && m_endedRequests.contains(admission.request)))
        report(Violation::BegunAgain, record, admission.request, admission.outcome);
    request.turn = record.turn;
    request.admitted = request.admitted || admitted;
}

void Conservation::connect(const Record &record, const Connection &connection)
{
    if (connection.request == 0) // a recovery, or not dialled on an admission
        return;
    if (const auto end = connectionEnd(connection.event)) {
        endRequest(record, connection.request, *end, connection.event);
    } else if (connection.event == "dialled") {
        const auto open = m_requests.find(connection.request);
        if (open == m_requests.end() || !open->second.admitted)
            report(Violation::NotAdmitted, record, connection.request, connection.event);
    }
}

void Conservation::endRequest(const Record &record, std::uint64_t request, RequestEnd end,
                              std::string_view word)
{
    ++m_totals.requestsEnded[index(end)];
    const auto open = m_requests.find(request);
    if (open != m_requests.end()) {
        if (needsAdmission(end) && !open->second.admitted)
            report(Violation::NotAdmitted, record, request, word);
        m_requests.erase(open);
    } else if (m_endedRequests.contains(request)) {
        report(Violation::EndedAgain, record, request, word);
    } else if (end == RequestEnd::Refused) {
        ++m_totals.requestsBegun; // on arrival
    } else {
        report(Violation::EndedUnbegun, record, request, word);
    }
    m_endedRequests.add(request);
}

void Conservation::closeProcess(const Record &record, const Process &process)
{
    Record life = record;
    for (const std::uint64_t turn : m_turns) {
        life.turn = base::TurnId(turn);
        report(Violation::LeftOpen, life, 0, process.event);
    }
    for (const auto &[id, request] : m_requests) {
        life.turn = request.turn;
        report(Violation::LeftOpen, life, id, process.event);
    }
    m_turns.clear();
    m_requests.clear();
    m_endedRequests.clear();
}

void Conservation::report(Violation violation, const Record &record, std::uint64_t request,
                          std::string_view word)
{
    ++m_totals.disagreements;
    if (m_found.size() < mostFound)
        m_found.push_back({violation, record.at, record.turn, request, std::string(word)});
}

} // namespace headway::ledger
