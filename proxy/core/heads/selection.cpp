// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/selection.h"

#include <algorithm>

namespace headway::heads {

namespace {

struct Found
{
    const Head *head = nullptr;
    Match match;
};

// Longest match, then exact before reasoning-omitted, then the oldest registration (the heads come
// in that order, so an equal later one does not win).
bool isBetter(const Match &match, const Found &best)
{
    if (best.head == nullptr || match.deltaFrom != best.match.deltaFrom)
        return best.head == nullptr || match.deltaFrom > best.match.deltaFrom;
    return match.mode == MatchMode::Exact && best.match.mode == MatchMode::ReasoningOmitted;
}

// The lineage gate: only a busy head whose reply this request could carry on counts. Unrelated
// siblings of a fan-out do not.
bool couldBeParent(const Head &head, const RequestTrail &trail)
{
    return head.stored.match(trail).has_value() || head.current.precedes(trail);
}

std::vector<std::string> promptChanges(const PromptPrints &before, const PromptPrints &after)
{
    std::vector<std::string> changes;
    if (before.instructions != after.instructions)
        changes.emplace_back("instructions");
    if (before.tools != after.tools)
        changes.emplace_back("tools");
    if (before.effort != after.effort)
        changes.emplace_back("effort");
    return changes;
}

void continueHead(ScanResult &result, const Found &best, const ScanRequest &request)
{
    result.decision = Decision::Continuation;
    result.head = best.head->id;
    result.connection = best.head->connection;
    result.generation = best.head->generation;
    result.previousResponseId = best.head->responseId;
    result.deltaFrom = best.match.deltaFrom;
    result.mode = best.match.mode;
    result.promptChanges = promptChanges(best.head->prompt, request.prompt);
}

// Against the head that goes along with the request for longest.
std::optional<FirstDifference> firstDifference(const Partition &partition,
                                               const RequestTrail &request)
{
    std::optional<FirstDifference> longest;
    for (const Head *head : partition.heads) {
        if (head->stored.size() == 0)
            continue;
        const Alignment at = head->stored.align(request);
        if (longest && at.theirs <= longest->index)
            continue;
        FirstDifference difference;
        difference.index = at.theirs;
        difference.expected = head->stored.print(head->stored.expectedAt(at, request));
        if (at.theirs < request.size()) {
            difference.kind = request.item(at.theirs).kind;
            difference.found = request.print(at.theirs);
        }
        longest = difference;
    }
    return longest;
}

} // namespace

ScanResult select(const Partition &partition, const ScanRequest &request)
{
    ScanResult result;
    result.candidates = partition.heads.size();
    const RequestTrail trail(request.input, request.schemas.get());
    Found best;
    for (const Head *head : partition.heads) {
        if (head->inFlight) {
            if (result.isolatedBy == HeadId{} && couldBeParent(*head, trail))
                result.isolatedBy = head->id;
            continue;
        }
        ++result.idle;
        const auto match = head->stored.match(trail);
        if (!match)
            continue;
        ++result.matching;
        if (isBetter(*match, best))
            best = {head, *match};
    }
    if (best.head != nullptr) {
        continueHead(result, best, request);
        result.isolatedBy = {};
    } else if (result.isolatedBy != HeadId{}) {
        result.decision = Decision::ParallelIsolated;
    } else {
        result.decision = Decision::HistoryMismatchNewHead;
        result.difference = firstDifference(partition, trail);
    }
    return result;
}

} // namespace headway::heads
