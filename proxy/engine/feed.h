// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/command.h"
#include "proxy/core/live/feed.h"
#include "proxy/core/live/history.h"
#include "proxy/net/listener/clientsocket.h"

#include <QObject>
#include <QPointer>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headway::engine {

// GET /headway/v1/feed: windows elsewhere. Each one gets every snapshot, written once however many
// there are. One that reads slowly skips snapshots and is later told in one message what it missed;
// one that reads nothing is let go, so a reader costs at most one high-water mark and one message.
class Feed final : public QObject
{
    Q_OBJECT

public:
    // Why a command was not carried out as it stands; nothing: it was.
    using CarryOut = std::function<std::optional<live::FeedAnswer>(const live::Command &)>;

    explicit Feed(CarryOut carryOut, QObject *parent = nullptr);

    // The first message goes out with the next send() and holds all that is kept.
    void add(net::ClientSocket *socket);
    [[nodiscard]] bool hasReaders() const { return !m_readers.empty(); }

    // Every snapshot, also while nobody reads: the next reader wants the seconds of the last hour.
    void take(live::SnapshotPointer snapshot);
    // To whoever can take it.
    void send(base::SteadyTime now);

    // Of which nothing was taken for so long is let go (spec/safety.md).
    static constexpr std::chrono::seconds patience{60};

Q_SIGNALS:
    void readersChanged(); // from none to some, or back

private:
    struct Reader
    {
        QPointer<net::ClientSocket> socket;
        std::uint64_t told = 0; // number of the last snapshot it got
        std::optional<base::SteadyTime> stalledSince;
    };
    using Messages = std::map<std::uint64_t, std::string>; // by Reader::told

    void remove(const net::ClientSocket *socket);
    void obey(net::ClientSocket &socket, const std::string &text);
    // False: it is to be let go.
    [[nodiscard]] bool sendTo(Reader &reader, Messages &messages, base::SteadyTime now);
    [[nodiscard]] const std::string &messageFor(std::uint64_t told, Messages &messages) const;

    CarryOut m_carryOut;
    std::vector<Reader> m_readers;
    live::History m_history;
    live::SnapshotPointer m_newest;
};

} // namespace headway::engine
