// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/poolstate.h"

#include <algorithm>
#include <charconv>

namespace headway::heads {

namespace {

// The random part of the rotation age; of short ages half, so that none becomes zero.
constexpr base::Seconds rotationSpread{300};
constexpr std::string_view lanePrefix = "lane-";

std::optional<std::size_t> indexOf(std::string_view lane)
{
    if (!lane.starts_with(lanePrefix))
        return std::nullopt;
    lane.remove_prefix(lanePrefix.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(lane.begin(), lane.end(), number);
    if (error != std::errc{} || end != lane.end() || number == 0 || number > namedLanes)
        return std::nullopt;
    return number - 1;
}

} // namespace

std::size_t Socket::inFlight() const
{
    const auto turns = std::count_if(heads.begin(), heads.end(),
                                     [](const Head *head) { return head->inFlight; });
    const auto draining = std::count(lanes.begin(), lanes.end(), Lane::Draining);
    return static_cast<std::size_t>(turns + draining) + (defaultDraining ? 1 : 0);
}

bool Socket::hasRoom() const
{
    return !leaving && inFlight() < lanesInFlight && freeLane().has_value();
}

bool Socket::isPinned() const
{
    return std::any_of(heads.begin(), heads.end(), [](const Head *head) { return head->pinned; });
}

Generation Socket::generation() const
{
    Generation best = spare ? Generation::Nursery : Generation::Isolated;
    for (const Head *head : heads) {
        if (head->generation == Generation::Established)
            return Generation::Established;
        if (head->generation == Generation::Nursery)
            best = Generation::Nursery;
    }
    return best;
}

// A name whose turn is over and whose head is gone is as good as a new one.
std::optional<std::string> Socket::freeLane() const
{
    const auto known = static_cast<std::ptrdiff_t>(std::min(lanes.size(), mostLanes));
    const auto end = lanes.begin() + known;
    const auto free = std::find(lanes.begin(), end, Lane::Free);
    if (free == end && lanes.size() >= mostLanes)
        return std::nullopt;
    return std::string(lanePrefix) + std::to_string(free - lanes.begin() + 1);
}

void Socket::setLane(std::string_view lane, Lane state)
{
    if (lane.empty()) {
        defaultDraining = state == Lane::Draining || state == Lane::Lost;
        return;
    }
    const auto index = indexOf(lane);
    if (!index)
        return; // not one of ours
    if (lanes.size() <= *index)
        lanes.resize(*index + 1, Lane::Free);
    lanes[*index] = state;
}

void Socket::limitLanes(std::string_view refused)
{
    if (const auto index = indexOf(refused))
        mostLanes = std::min(mostLanes, *index);
}

Socket &HeadPool::State::socketOf(base::ConnectionId id, const Route &route, base::Now now)
{
    const auto [at, isNew] = sockets.try_emplace(id);
    Socket &socket = at->second;
    if (!isNew)
        return socket;
    socket.id = id;
    socket.endpoint = route.endpoint;
    socket.account = route.account;
    socket.credential = route.credential;
    socket.created = now.wall;
    socket.earlier = random.uniform(0.0, 1.0);
    socket.lastUsed = now.steady;
    return socket;
}

Socket *HeadPool::State::findSocket(base::ConnectionId id)
{
    const auto at = sockets.find(id);
    return at == sockets.end() ? nullptr : &at->second;
}

base::WallTime HeadPool::State::rotationTime(const Socket &socket) const
{
    const base::Milliseconds most = settings.rotateAfter;
    const base::Milliseconds spread = std::min<base::Milliseconds>(rotationSpread, most / 2);
    const auto earlier = static_cast<base::Milliseconds::rep>(
        socket.earlier * static_cast<double>(spread.count()));
    return socket.created + most - base::Milliseconds{earlier};
}

void HeadPool::State::unrank(Socket &socket)
{
    if (!socket.rank)
        return;
    const Socket::Rank &rank = *socket.rank;
    --counts[static_cast<std::size_t>(rank.generation)];
    if (rank.idle && rank.generation != Generation::Isolated)
        idleSockets[static_cast<std::size_t>(rank.generation)].erase({rank.lastUsed, socket.id});
    if (rank.spare)
        idleSpares.erase({rank.lastUsed, socket.id});
    if (rank.rotates)
        rotation.erase({rank.rotation, socket.id});
    socket.rank.reset();
}

void HeadPool::State::rank(Socket &socket)
{
    unrank(socket);
    Socket::Rank rank;
    rank.generation = socket.generation();
    const bool used = socket.inFlight() > 0;
    const bool anythingIdle = socket.spare
        || std::any_of(socket.heads.begin(), socket.heads.end(),
                       [](const Head *head) { return !head->inFlight; });
    for (const Head *head : socket.heads)
        socket.lastUsed = std::max(socket.lastUsed, head->lastUsed);
    rank.idle = !used && anythingIdle;
    rank.spare = socket.spare;
    rank.rotates = anythingIdle;
    rank.lastUsed = socket.lastUsed;
    rank.rotation = rotationTime(socket);
    ++counts[static_cast<std::size_t>(rank.generation)];
    if (rank.idle && rank.generation != Generation::Isolated)
        idleSockets[static_cast<std::size_t>(rank.generation)].emplace(rank.lastUsed, socket.id);
    if (rank.spare)
        idleSpares.emplace(rank.lastUsed, socket.id);
    if (rank.rotates)
        rotation.emplace(rank.rotation, socket.id);
    socket.rank = rank;
}

// Whether nothing lives on it any more; then it is gone.
bool HeadPool::State::closeIfUnused(Socket &socket)
{
    if (!socket.heads.empty() || socket.spare) {
        rank(socket);
        return false;
    }
    if (socket.probing && verdicts[socket.endpoint] == LaneVerdict::Probing
        && std::none_of(sockets.begin(), sockets.end(), [&socket](const auto &row) {
               return row.second.probing && row.first != socket.id
                   && row.second.endpoint == socket.endpoint;
           }))
        verdicts[socket.endpoint] = LaneVerdict::Unknown; // the question died with it
    unrank(socket);
    sockets.erase(socket.id);
    return true;
}

} // namespace headway::heads
