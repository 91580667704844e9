// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/provider.h"

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QStringList>

namespace headway::tests {

// A request for a reply as it arrived at the provider.
struct Sent
{
    std::uint64_t socket = 0; // by number, as WireEvent counts TCP connections
    bool overPost = false;
    QJsonObject body;

    [[nodiscard]] QString previous() const; // previous_response_id, empty without
    [[nodiscard]] QString lane() const; // stream_id, empty without
    // One line an item: "user: text", "assistant: text", "reasoning", "call: name",
    // "output: text"; anything else by its type.
    [[nodiscard]] QStringList input() const;
};

// What went over the wire between proxy and provider, as the provider saw it: the oracle of tests
// about frames. Shares no code with the proxy.
class WireLog final : public QObject
{
    Q_OBJECT

public:
    explicit WireLog(simulator::Provider &provider);

    // Creates and POSTs in the order they came.
    [[nodiscard]] const QList<Sent> &sent() const { return m_sent; }
    [[nodiscard]] const Sent &last() const { return m_sent.last(); }
    // The ids of the responses that completed, in the order they did.
    [[nodiscard]] const QStringList &completed() const { return m_completed; }
    // The latest of them on that socket; empty: none.
    [[nodiscard]] QString completedOn(std::uint64_t socket) const { return m_latest.value(socket); }
    [[nodiscard]] const QList<std::uint64_t> &opened() const { return m_opened; } // WebSockets
    [[nodiscard]] const QList<int> &rejections() const { return m_rejections; } // statuses
    // Sockets that were opened and are gone again, in the order they went; or said good-bye to.
    [[nodiscard]] const QList<std::uint64_t> &gone() const { return m_gone; }
    [[nodiscard]] qsizetype pings() const { return m_pings; } // of the proxy
    // The upgrade's request headers, "name: value" lines, of each attempt.
    [[nodiscard]] const QList<QByteArray> &upgrades() const { return m_upgrades; }

private:
    void take(const simulator::WireEvent &event);
    void takeReply(std::uint64_t socket, const QByteArray &json);

    QList<Sent> m_sent;
    QStringList m_completed;
    QHash<std::uint64_t, QString> m_latest;
    QList<std::uint64_t> m_opened;
    QList<int> m_rejections;
    QList<std::uint64_t> m_gone;
    QList<QByteArray> m_upgrades;
    qsizetype m_pings = 0;
};

} // namespace headway::tests
