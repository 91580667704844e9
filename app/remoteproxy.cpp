// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remoteproxy.h"

#include <algorithm>
#include <utility>

namespace headway::app {

namespace {

using Phase = ui::LinkState::Phase;

constexpr int unauthorized = 401;
constexpr int misdirected = 421;

QString shown(const std::string &text)
{
    return QString::fromStdString(text);
}

} // namespace

std::chrono::milliseconds gapAfter(int failures, const RemoteTimes &times)
{
    std::chrono::milliseconds gap = times.firstGap;
    for (int i = 1; i < failures && gap < times.longestGap; ++i)
        gap *= 2;
    return std::min(gap, times.longestGap);
}

tl::expected<net::Endpoint, QString> feedEndpoint(const QString &address)
{
    auto endpoint = net::parseEndpoint(address.toStdString());
    if (!endpoint) {
        const QUrl url(address);
        const bool isPlain
            = url.scheme() == QLatin1String("ws") || url.scheme() == QLatin1String("http");
        const bool isBeyond = isPlain && !url.host().isEmpty() && !net::isLoopbackHost(url.host());
        return tl::unexpected(
            isBeyond ? QStringLiteral("plain %1 is for this machine only: the control key would "
                                      "travel to %2 in the clear. Write wss://HOST:PORT, or make a "
                                      "tunnel (ssh -L) and attach to ws://127.0.0.1:PORT")
                           .arg(url.scheme(), url.host())
                     : QStringLiteral("\"%1\" is no address of a proxy; write wss://HOST:PORT, or "
                                      "ws://127.0.0.1:PORT on this machine")
                           .arg(address));
    }
    QString path = endpoint->url.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    endpoint->url.setPath(path + QStringLiteral("/headway/v1/feed"));
    endpoint->url.setQuery(QString());
    return endpoint;
}

RemoteProxy::RemoteProxy(net::Endpoint endpoint, QString address, const RemoteTimes &times,
                         QObject *parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_address(std::move(address))
    , m_times(times)
    , m_retry(this)
    , m_silence(this)
{
    qRegisterMetaType<live::SnapshotPointer>("headway::live::SnapshotPointer");
    qRegisterMetaType<ui::LinkState>("headway::ui::LinkState");
    m_retry.setSingleShot(true);
    m_silence.setSingleShot(true);
    m_silence.setInterval(m_times.silence);
    connect(&m_retry, &QTimer::timeout, this, &RemoteProxy::dial);
    connect(&m_silence, &QTimer::timeout, this,
            [this] { retry(tr("nothing came for %1 s").arg(m_times.silence.count() / 1'000)); });
}

RemoteProxy::~RemoteProxy() = default;

void RemoteProxy::start()
{
    dial();
}

void RemoteProxy::dial()
{
    m_isFirst = true;
    m_socket = std::make_unique<net::UpstreamSocket>();
    using net::UpstreamSocket;
    connect(m_socket.get(), &UpstreamSocket::received, this, &RemoteProxy::read);
    connect(m_socket.get(), &UpstreamSocket::rejected, this, &RemoteProxy::rejected);
    connect(m_socket.get(), &UpstreamSocket::failed, this,
            [this](const QString &reason) { retry(reason); });
    connect(
        m_socket.get(), &UpstreamSocket::closed, this, [this](quint16 code, const QString &reason) {
            retry(reason.isEmpty() ? tr("the proxy closed the connection (%1)").arg(code) : reason);
        });
    connect(m_socket.get(), &UpstreamSocket::opened, this, [this] { m_silence.start(); });
    connect(m_socket.get(), &UpstreamSocket::seen, this, [this] {
        if (m_silence.isActive())
            m_silence.start();
    });
    tell(Phase::Connecting, m_trouble);
    m_socket->open(m_endpoint, {}, m_times.dial);
}

void RemoteProxy::read(std::string_view text)
{
    auto message = live::readFeed(text);
    if (!message) {
        const live::FeedError error = message.error();
        if (error.isOtherVersion) // perhaps it is replaced one day
            retry(shown(error.text), m_times.longestGap);
        else
            retry(tr("what came is no feed that can be read (%1)").arg(shown(error.text)));
        return;
    }
    if (auto *snapshot = std::get_if<live::Snapshot>(&*message))
        show(std::move(*snapshot));
    else if (const auto *answer = std::get_if<live::FeedAnswer>(&*message))
        Q_EMIT refused(shown(answer->reason));
}

// The first snapshot of a connection tells all that the proxy still knows; what was told before the
// connection was lost must not appear twice.
void RemoteProxy::show(live::Snapshot snapshot)
{
    if (std::exchange(m_isFirst, false)) {
        const auto isOld = [this](const auto &each) { return each.at <= m_toldUntil; };
        std::erase_if(snapshot.records, isOld);
        std::erase_if(snapshot.changes, isOld);
        m_failures = 0;
        m_trouble.clear();
        tell(Phase::Live, {});
    }
    m_toldUntil = snapshot.at;
    Q_EMIT snapshotReady(std::make_shared<const live::Snapshot>(std::move(snapshot)));
}

void RemoteProxy::rejected(const net::UpgradeReply &reply)
{
    if (reply.status == unauthorized) {
        letGo(); // asking again would only be slowed down
        tell(Phase::Refused,
             tr("the control key was not accepted. Start again with the key from keys.ini of the "
                "machine where the proxy runs, in HEADWAY_CONTROL_KEY"));
    } else if (reply.status == misdirected) {
        retry(tr("the proxy does not answer to this host name; add it to its setting "
                 "allowed_hosts"));
    } else {
        retry(tr("it answers with HTTP status %1 instead of a feed").arg(reply.status));
    }
}

void RemoteProxy::letGo()
{
    m_silence.stop();
    if (!m_socket)
        return;
    m_socket->disconnect(this);
    m_socket.reset();
}

// By value: the words may be the socket's own.
void RemoteProxy::retry(QString trouble, std::optional<std::chrono::milliseconds> gap)
{
    letGo();
    ++m_failures;
    m_trouble = std::move(trouble);
    const auto wait = gap.value_or(gapAfter(m_failures, m_times));
    m_retry.start(wait);
    tell(Phase::Waiting, m_trouble, wait.count());
}

void RemoteProxy::tell(Phase phase, const QString &trouble, qint64 retryInMs)
{
    Q_EMIT linkChanged({phase, m_address, trouble, retryInMs});
}

void RemoteProxy::ask(const live::Command &command)
{
    if (m_socket && m_socket->isOpen())
        m_socket->sendText(live::writeCommand(command));
    else
        Q_EMIT refused(tr("There is no connection to %1, so nothing was changed.").arg(m_address));
}

void RemoteProxy::changeSetting(const QString &key, const QString &value)
{
    ask(live::ChangeSetting{key.toStdString(), value.toStdString()});
}

void RemoteProxy::evictHead(quint64 connection, quint64 head)
{
    ask(live::EvictHead{base::ConnectionId{connection}, head});
}

void RemoteProxy::pinConnection(quint64 connection, bool isPinned)
{
    ask(live::PinConnection{base::ConnectionId{connection}, isPinned});
}

void RemoteProxy::setPaused(bool isPaused)
{
    ask(live::PauseAll{isPaused});
}

void RemoteProxy::holdSession(const QString &session, bool isHeld)
{
    ask(live::HoldSession{session.toStdString(), isHeld});
}

void RemoteProxy::setPassThrough(bool isOn)
{
    ask(live::PassThrough{isOn});
}

void RemoteProxy::moveToFront(quint64 turn)
{
    ask(live::MoveToFront{base::TurnId{turn}});
}

void RemoteProxy::cancelTurn(quint64 turn)
{
    ask(live::CancelTurn{base::TurnId{turn}});
}

} // namespace headway::app
