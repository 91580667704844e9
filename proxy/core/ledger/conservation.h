// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/recentids.h"
#include "proxy/core/ledger/record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headway::ledger {

enum class TurnEnd : std::uint8_t { Completed, ClientGone, Refused, Failed, ProcessDied };
enum class RequestEnd : std::uint8_t {
    Refused,
    Cancelled,
    Returned,
    Opened,
    Rejected,
    Failed, // to dial
    ProcessDied,
};
inline constexpr std::size_t turnEnds = 5;
inline constexpr std::size_t requestEnds = 7;
[[nodiscard]] std::string_view name(TurnEnd end); // as in the records
[[nodiscard]] std::string_view name(RequestEnd end);

// What can be wrong with the life of a turn or of an admission request.
enum class Violation : std::uint8_t {
    BegunAgain, // while it is open, or after its end
    EndedAgain,
    EndedUnbegun, // an end without a beginning
    NotAdmitted, // dialled, opened or given back without an admission
    LeftOpen, // still open when its process stopped, or when the next one started
    Unnamed, // no id, or a word that the spec does not know
};

struct Disagreement
{
    Violation violation;
    base::WallTime at;
    base::TurnId turn; // zero where the life is a request without a turn
    std::uint64_t request = 0; // zero where the life is a turn
    std::string word; // outcome, event or end of the record
};
// One line in plain words.
[[nodiscard]] std::string describe(const Disagreement &disagreement);

struct OpenRequest
{
    std::uint64_t request = 0;
    base::TurnId turn;
    bool admitted = false;

    friend bool operator==(const OpenRequest &, const OpenRequest &) = default;
};

// Lives begun and not ended, by ascending id.
struct OpenLives
{
    std::vector<base::TurnId> turns{};
    std::vector<OpenRequest> requests{};

    friend bool operator==(const OpenLives &, const OpenLives &) = default;
};

struct ConservationTotals
{
    std::uint64_t records = 0;
    std::uint64_t turnsBegun = 0;
    std::array<std::uint64_t, turnEnds> turnsEnded{}; // by TurnEnd
    std::uint64_t requestsBegun = 0;
    std::array<std::uint64_t, requestEnds> requestsEnded{}; // by RequestEnd
    std::uint64_t disagreements = 0;

    friend bool operator==(const ConservationTotals &, const ConservationTotals &) = default;
};

// spec/ledger.md, "Conservation", over records in the order they were made:
//
// * A turn begins with turn_started and ends with turn, once each.
// * A request begins with its first admission record. queued and admitted are no ends; refused,
//   cancelled, returned and process_died are; so are the connection events opened, rejected and
//   failed that carry its id. Each request has exactly one end. Only an admitted one can be dialled
//   or given back; a refusal may be its first and last record.
// * At process started and stopped nothing may be open. Request ids begin anew with a process; the
//   lives a dead process left open are closed by process_died records before the next start.
//
// Memory is bounded by what is open and by `remembered` ended ids: a second end later than that is
// still found, as an end without a beginning.
class Conservation final
{
public:
    explicit Conservation(std::size_t remembered = 65'536);

    void add(const Record &record);

    // Sets what is open, where records before this point are missing for a reason that is known
    // (retention, a file set aside, records lost while the disk was full).
    void resume(const OpenLives &open);

    [[nodiscard]] OpenLives open() const;
    [[nodiscard]] const ConservationTotals &totals() const { return m_totals; }
    [[nodiscard]] bool isConserved() const { return m_totals.disagreements == 0; }
    // The first hundred.
    [[nodiscard]] const std::vector<Disagreement> &disagreements() const { return m_found; }

private:
    void begin(const Record &record);
    void end(const Record &record, const TurnEnded &turn);
    void admit(const Record &record, const Admission &admission);
    void connect(const Record &record, const Connection &connection);
    void beginRequest(const Record &record, const Admission &admission);
    void endRequest(const Record &record, std::uint64_t request, RequestEnd end,
                    std::string_view word);
    void closeProcess(const Record &record, const Process &process);
    void report(Violation violation, const Record &record, std::uint64_t request,
                std::string_view word);

    struct Request
    {
        base::TurnId turn;
        bool admitted = false;
    };

    std::set<std::uint64_t> m_turns; // open ones
    std::map<std::uint64_t, Request> m_requests;
    RecentIds m_endedTurns;
    RecentIds m_endedRequests;
    ConservationTotals m_totals;
    std::vector<Disagreement> m_found;
};

} // namespace headway::ledger
