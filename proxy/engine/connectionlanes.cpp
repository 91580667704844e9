// SPDX-License-Identifier: GPL-3.0-or-later
// Several turns on one connection (spec/heads.md section 6): who gets what arrives, what is held
// back, and what is learned about lanes on the way.
#include "proxy/engine/connectionentry.h"
#include "proxy/engine/laneroute.h"
#include "proxy/net/clock.h"

#include <utility>

namespace headway::engine {

namespace {

// spec/safety.md: a stalled client is bounded; beside what its own buffer holds.
constexpr std::size_t mostQueued = std::size_t{1} << 20U;
// "Idle (no frame while a response is in flight) 300 s", protocol notes 6.3: an abandoned response
// that has been silent for so long is not waited for.
constexpr base::Seconds longestDrain{300};
constexpr std::string_view connectionIsOld = "websocket_connection_limit_reached";

bool endsResponse(const dialects::UpstreamEvent &event)
{
    return event.isTerminal() || event.typeName == "response.cancelled";
}

bool saysOld(const dialects::UpstreamEvent &event)
{
    return event.error && event.error->code == connectionIsOld;
}

} // namespace

Connections::Lane *Connections::find(base::ConnectionId id, std::string_view lane)
{
    Entry *const entry = find(id);
    if (!entry)
        return nullptr;
    const auto found = entry->lanes.find(lane);
    return found == entry->lanes.end() ? nullptr : &found->second;
}

void Connections::attach(base::ConnectionId id, std::string_view lane, ConnectionUser *user,
                         base::TurnId turn)
{
    Entry *const entry = find(id);
    if (!entry)
        return;
    ++entry->turns;
    count(*entry, false);
    entry->lanes[std::string(lane)] = Lane{.user = user, .turn = turn};
    count(*entry, true);
    applyPause(*entry);
    Q_EMIT levelChanged();
}

void Connections::release(base::ConnectionId id, std::string_view lane)
{
    Entry *const entry = find(id);
    if (!entry || !entry->lanes.contains(lane))
        return;
    const bool asked = entry->asking == lane;
    count(*entry, false);
    entry->lanes.erase(entry->lanes.find(lane));
    count(*entry, true);
    applyPause(*entry);
    if (asked) // the question went with it; the next create asks again
        entry->asking.reset();
    Q_EMIT levelChanged();
    if (asked)
        sendHeld(id);
}

void Connections::drain(base::ConnectionId id, std::string_view lane, base::Now now)
{
    Lane *const place = find(id, lane);
    if (!place)
        return;
    Entry &entry = *find(id);
    ledger::Connection record = describe(id, entry, "abandoned", now);
    record.lane = std::string(lane);
    Q_EMIT recorded(place->turn, record);
    const bool ended = place->ended;
    place->user = nullptr;
    place->heard = now.steady;
    place->paused = false;
    place->queue.clear();
    place->queued = 0;
    applyPause(entry);
    if (ended)
        endDrain(id, lane);
}

void Connections::noteEvicted(base::ConnectionId id, std::string_view lane, std::string_view reason,
                              base::Now now)
{
    const Entry *const entry = find(id);
    if (!entry)
        return;
    ledger::Connection record = describe(id, *entry, "evicted", now);
    record.lane = std::string(lane);
    record.reason = std::string(reason);
    Q_EMIT recorded({}, record);
}

void Connections::endDrain(base::ConnectionId id, std::string_view lane)
{
    const std::string name(lane);
    release(id, name);
    Q_EMIT laneDrained(id, name);
}

// A lane that never drains would keep one of the sixteen places for the life of its connection.
void Connections::giveUpDrains(base::Now now)
{
    std::vector<std::pair<base::ConnectionId, std::string>> silent;
    for (const auto &[id, entry] : m_entries) {
        for (const auto &[name, lane] : entry->lanes) {
            if (!lane.user && now.steady - lane.heard >= longestDrain)
                silent.emplace_back(id, name);
        }
    }
    for (const auto &[id, lane] : silent) {
        release(id, lane);
        Q_EMIT drainFailed(id, lane);
    }
}

bool Connections::hasSent(base::ConnectionId id, std::string_view lane) const
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return false;
    const auto place = found->second->lanes.find(lane);
    return place != found->second->lanes.end() && place->second.sent;
}

void Connections::noteAnswer(base::ConnectionId id, std::string_view lane,
                             std::string_view response)
{
    if (Entry *const entry = find(id); entry && !response.empty())
        entry->answers.insert_or_assign(std::string(lane), std::string(response));
}

bool Connections::isAnswered(base::ConnectionId id, std::string_view lane,
                             std::string_view response) const
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end() || response.empty())
        return false;
    const auto last = found->second->answers.find(lane);
    return last != found->second->answers.end() && last->second == response;
}

void Connections::send(base::ConnectionId id, std::string_view lane, std::string frame)
{
    Lane *const place = find(id, lane);
    if (!place)
        return;
    Entry &entry = *find(id);
    const base::Now now = net::readClock();
    const bool unseen = entry.liveness.mustProbe(now);
    if (unseen || mustWait(entry, lane)) {
        place->held = std::move(frame);
        entry.holds = true;
        if (unseen) { // the machine slept: it may be dead, the turn follows the sign of life
            entry.liveness.probe(now);
            entry.socket->ping();
        }
        return;
    }
    if (!lane.empty() && !m_hasLanes)
        entry.asking = std::string(lane);
    place->sent = true;
    entry.socket->sendText(frame);
}

// Those that still have to wait are held again.
void Connections::sendHeld(base::ConnectionId id)
{
    Entry *const entry = find(id);
    if (!entry || !std::exchange(entry->holds, false))
        return;
    for (auto &[name, lane] : entry->lanes) {
        if (!lane.held.empty())
            send(id, name, std::exchange(lane.held, {}));
    }
}

void Connections::received(base::ConnectionId id, std::string_view message, std::size_t capacity)
{
    const Entry *const entry = find(id);
    if (!entry || entry->lanes.empty())
        return; // an idle connection has nothing to say
    const auto &[firstName, firstLane] = *entry->lanes.begin();
    if (entry->lanes.size() == 1 && firstName.empty() && firstLane.user && !entry->asking) {
        firstLane.user->connectionReceived(message, capacity);
        return;
    }
    const auto event = m_reader.read(message, capacity, net::readClock().wall);
    if (!event)
        return; // nobody can say whose it was
    std::vector<std::string_view> inUse;
    std::vector<std::string> all;
    for (const auto &[name, lane] : entry->lanes) {
        all.push_back(name);
        if (lane.sent)
            inUse.push_back(name);
    }
    const LaneRoute route = routeOf(*event, inUse);
    if (route.reach == LaneRoute::Reach::One)
        all = {std::string(route.lane)};
    if (saysOld(*event))
        Q_EMIT lost(id, heads::EvictionReason::HardTtl);
    if (route.reach == LaneRoute::Reach::One || route.reach == LaneRoute::Reach::Everybody) {
        for (const std::string &name : all)
            deliver(id, name, *event);
    } else if (route.reach == LaneRoute::Reach::Stray) {
        takeStray(id);
    }
}

void Connections::deliver(base::ConnectionId id, std::string_view lane,
                          const dialects::UpstreamEvent &event)
{
    std::string name(lane);
    if (!learn(id, name, event))
        name.clear();
    Lane *const place = find(id, name);
    if (!place)
        return;
    if (!place->user) {
        drained(id, name, event);
    } else if (!place->queue.empty() || (place->paused && users(id) > 1)) {
        enqueue(id, name, event);
    } else {
        place->user->connectionEvent(event);
    }
}

// What comes on a lane that nobody reads. Its name is only used again after an end that nothing can
// follow: an answer may still come after a failure, or behind one that was sent twice.
void Connections::drained(base::ConnectionId id, const std::string &lane,
                          const dialects::UpstreamEvent &event)
{
    find(id, lane)->heard = net::readClock().steady;
    const bool isAgain = isAnswered(id, lane, event.responseId);
    if (!isAgain && !endsResponse(event))
        return;
    if (!isAgain && event.type == dialects::EventType::Completed) {
        noteAnswer(id, lane, event.responseId);
        endDrain(id, lane);
        return;
    }
    release(id, lane);
    Q_EMIT drainFailed(id, lane);
}

// A slow reader of one lane never blocks the socket's reader.
void Connections::enqueue(base::ConnectionId id, std::string_view lane,
                          const dialects::UpstreamEvent &event)
{
    Lane &place = *find(id, lane);
    if (place.queued + event.raw.size() <= mostQueued) {
        place.queued += event.raw.size();
        place.queue.emplace_back(event.raw);
        place.ended = event.type == dialects::EventType::Completed;
        return;
    }
    place.user->laneOverflowed();
    deliver(id, lane, event); // it drains now, and this may be its end
}

void Connections::deliverQueued(base::ConnectionId id, std::string_view lane)
{
    const std::string name(lane);
    const ConnectionUser *user = nullptr;
    while (Lane *const place = find(id, name)) {
        if (!place->user || (user && place->user != user) || place->paused || place->queue.empty())
            return;
        user = place->user;
        const std::string frame = std::move(place->queue.front());
        place->queue.pop_front();
        place->queued -= frame.size();
        if (const auto event = m_queueReader.read(frame, frame.size(), net::readClock().wall))
            place->user->connectionEvent(*event);
    }
}

void Connections::setPaused(base::ConnectionId id, std::string_view lane, bool paused)
{
    Lane *const place = find(id, lane);
    if (!place)
        return;
    place->paused = paused;
    applyPause(*find(id));
    if (!paused)
        deliverQueued(id, lane);
}

void Connections::applyPause(Entry &entry)
{
    const bool paused = entry.lanes.size() == 1 && entry.lanes.begin()->second.paused;
    if (paused == entry.readingPaused)
        return;
    entry.readingPaused = paused;
    if (paused)
        entry.liveness.paused();
    else
        entry.liveness.resumed(net::readClock());
    entry.socket->setReadingPaused(paused);
}

} // namespace headway::engine
