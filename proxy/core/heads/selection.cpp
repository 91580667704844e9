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

void goOnFrom(ScanResult &result, const Found &best, const ScanRequest &request)
{
    result.head = best.head->id;
    result.connection = best.head->socket->id;
    result.lane = best.head->lane;
    result.generation = best.head->generation;
    result.previousResponseId = best.head->responseId;
    result.deltaFrom = best.match.deltaFrom;
    result.mode = best.match.mode;
    result.promptChanges = promptChanges(best.head->prompt, request.prompt);
    result.expectedTokens = best.head->contextTokens;
}

bool isReply(ItemKind kind)
{
    return kind == ItemKind::AssistantMessage || mayBeMissing(kind)
        || kind == ItemKind::FunctionCall || kind == ItemKind::CustomToolCall;
}

// A busy head is worth waiting for when the request goes on from the very reply it is giving: its
// input is a prefix of the request and a reply comes next. One that is at something else would not
// be continued when it is done.
bool givesAwaitedReply(const Head &head, const RequestTrail &trail)
{
    if (!head.current.precedes(trail))
        return false;
    const std::size_t next = head.current.align(trail).theirs;
    return next < trail.size() && isReply(trail.item(next).kind);
}

// Likely means: more often than not it is done within the bound.
bool expectHead(ScanResult &result, const Partition &partition, const ScanRequest &request,
                const RequestTrail &trail, const SelectionFacts &facts)
{
    if (request.waitBound <= base::Nanoseconds::zero())
        return false;
    const Head *longest = nullptr;
    base::Nanoseconds wait{0};
    for (const Head *head : partition.heads) {
        if (!head->inFlight || !givesAwaitedReply(*head, trail)
            || (longest != nullptr && head->current.size() <= longest->current.size()))
            continue;
        const auto remaining = facts.durations.remaining(facts.partition, request.model,
                                                         facts.now.steady - head->startedAt);
        if (!remaining || remaining->p50 > request.waitBound)
            continue;
        longest = head;
        wait = std::min(request.waitBound, remaining->p75);
    }
    if (longest == nullptr)
        return false;
    result.decision = Decision::ExpectedHead;
    result.head = longest->id;
    result.connection = longest->socket->id;
    result.generation = longest->generation;
    result.expectedWait = wait;
    result.expectedTokens = longest->promptTokens;
    return true;
}

// The parent's response is cached on its lane until the turn in flight there completes. A
// connection that is about to be rotated takes nobody new.
bool forkHead(ScanResult &result, const Found &busy, const ScanRequest &request,
              const SelectionFacts &facts)
{
    if (!facts.hasLanes || busy.head == nullptr)
        return false;
    const Socket &socket = *busy.head->socket;
    if (!socket.hasRoom() || facts.now.wall >= socket.rank->rotation)
        return false;
    goOnFrom(result, busy, request);
    result.decision = Decision::Fork;
    result.lane = *socket.freeLane();
    return true;
}

// Section 9: comparisons that cannot have come out unequal unless something is wrong with us. A
// call is judged by the schemas that it was stored under.
std::optional<Canary> canary(const Head &head, const Alignment &at, const RequestTrail &trail)
{
    const std::size_t ours = head.stored.expectedAt(at, trail);
    if (ours >= head.stored.size() || at.theirs >= trail.size())
        return std::nullopt;
    const ItemPrint &found = trail.item(at.theirs);
    if (found.identity == 0 || found.identity != head.stored.identity(ours))
        return std::nullopt;
    const bool sameBlob = found.kind == ItemKind::Reasoning && head.stored.isOptional(ours);
    const bool sameCall = found.kind == ItemKind::FunctionCall
        && found.under(head.stored.schemas().get()) == head.stored.print(ours);
    if (!sameBlob && !sameCall)
        return std::nullopt;
    return Canary{found.kind, at.theirs, head.id};
}

// What was lost with each candidate; the difference is told against the head that goes along with
// the request for longest.
void explainLoss(ScanResult &result, const Partition &partition, const ScanRequest &request,
                 const RequestTrail &trail, const SelectionFacts &facts)
{
    for (const Head *head : partition.heads) {
        if (head->stored.size() == 0)
            continue;
        const Alignment at = head->stored.align(trail);
        if (head->inFlight && at.ours == head->stored.size())
            continue; // it was merely busy
        if (const auto fault = canary(*head, at, trail))
            result.canaries.push_back(*fault);
        if (result.difference && at.theirs <= result.difference->index)
            continue;
        FirstDifference difference;
        difference.index = at.theirs;
        difference.expected = head->stored.print(head->stored.expectedAt(at, trail));
        if (at.theirs < trail.size()) {
            difference.kind = trail.item(at.theirs).kind;
            difference.found = trail.print(at.theirs);
        }
        difference.tokens = head->contextTokens;
        difference.promptChanges = promptChanges(head->prompt, request.prompt);
        result.difference = std::move(difference);
    }
    result.lost = facts.lost.find(facts.partition, trail);
}

} // namespace

ScanResult select(const Partition &partition, const ScanRequest &request, const RequestTrail &trail,
                  const SelectionFacts &facts)
{
    ScanResult result;
    result.candidates = partition.heads.size();
    Found best;
    Found busy;
    for (const Head *head : partition.heads) {
        const auto match = head->stored.match(trail);
        if (head->inFlight) {
            if (result.isolatedBy == HeadId{} && couldBeParent(*head, trail))
                result.isolatedBy = head->id;
            if (match && isBetter(*match, busy))
                busy = {head, *match};
            continue;
        }
        ++result.idle;
        if (!match)
            continue;
        ++result.matching;
        if (isBetter(*match, best))
            best = {head, *match};
    }
    if (best.head != nullptr) {
        goOnFrom(result, best, request);
        result.decision = Decision::Continuation;
    } else if (expectHead(result, partition, request, trail, facts)
               || forkHead(result, busy, request, facts))
    {
        // decided
    } else {
        result.decision = result.isolatedBy != HeadId{} ? Decision::ParallelIsolated
                                                        : Decision::HistoryMismatchNewHead;
        explainLoss(result, partition, request, trail, facts);
        return result;
    }
    result.isolatedBy = {};
    return result;
}

} // namespace headway::heads
