// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/command.h"
#include "proxy/core/live/feed.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/upstreamsocket.h"
#include "ui/models/linkstate.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>
#include <tl/expected.hpp>

namespace headway::app {

struct RemoteTimes
{
    std::chrono::milliseconds firstGap{1'000}; // before the next attempt, doubled each time
    std::chrono::milliseconds longestGap{30'000};
    std::chrono::milliseconds dial{15'000};
    std::chrono::milliseconds silence{15'000}; // nothing at all: dial again
};

// The gap after so many attempts that brought no snapshot, from 1 on.
[[nodiscard]] std::chrono::milliseconds gapAfter(int failures, const RemoteTimes &times);

// "wss://HOST[:PORT]", or ws:// to this machine: where the feed is; without a key. The message says
// what to write.
[[nodiscard]] tl::expected<net::Endpoint, QString> feedEndpoint(const QString &address);

// A proxy elsewhere, seen through its feed: snapshots come in, commands go out, and the connection
// is made again whenever it is lost. The same slots and signals as ProxyThread's. Lives on one
// thread, which may be another than the window's.
class RemoteProxy final : public QObject
{
    Q_OBJECT

public:
    // `endpoint`: with the control key. `address`: as it is shown.
    RemoteProxy(net::Endpoint endpoint, QString address, const RemoteTimes &times = {},
                QObject *parent = nullptr);
    ~RemoteProxy() override;

public Q_SLOTS:
    void start();
    void changeSetting(const QString &key, const QString &value);
    void evictHead(quint64 connection, quint64 head);
    void pinConnection(quint64 connection, bool isPinned);
    void setPaused(bool isPaused);
    void holdSession(const QString &session, bool isHeld);
    void setPassThrough(bool isOn);
    void moveToFront(quint64 turn);
    void cancelTurn(quint64 turn);

Q_SIGNALS:
    void snapshotReady(const headway::live::SnapshotPointer &snapshot);
    void linkChanged(const headway::ui::LinkState &link);
    void refused(const QString &reason); // a command was not carried out as it stands

private:
    void dial();
    void read(std::string_view message);
    void show(live::Snapshot snapshot);
    void rejected(const net::UpgradeReply &reply);
    void retry(QString trouble, std::optional<std::chrono::milliseconds> gap = {});
    void letGo(); // of the socket, silently
    void tell(ui::LinkState::Phase phase, const QString &trouble, qint64 retryInMs = 0);
    void ask(const live::Command &command);

    net::Endpoint m_endpoint;
    QString m_address;
    RemoteTimes m_times;
    std::unique_ptr<net::UpstreamSocket> m_socket;
    QTimer m_retry;
    QTimer m_silence;
    QString m_trouble;
    int m_failures = 0; // attempts since the last snapshot
    bool m_isFirst = true; // of this connection: the next snapshot
    base::WallTime m_toldUntil{}; // by the proxy's clock
};

} // namespace headway::app
