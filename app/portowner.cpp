// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/portowner.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkProxy>
#include <QTcpServer>
#include <QTcpSocket>

#include <array>
#include <unistd.h>

namespace headway::app {

namespace {

constexpr int patienceMs = 2'000;
constexpr qint64 largestAnswer = 1 << 20;

struct Listening
{
    uint uid = 0;
    QByteArray inode;
};

// The kernel prints an address as 32-bit words in the byte order of the machine.
QByteArray wordsInHex(const std::array<quint8, 16> &bytes, std::size_t count)
{
    QByteArray text;
    for (std::size_t word = 0; word < count; word += 4) {
        for (std::size_t i = 4; i > 0; --i)
            text += QByteArray::number(bytes[word + i - 1], 16).rightJustified(2, '0');
    }
    return text.toUpper();
}

QByteArray addressInHex(const QHostAddress &address)
{
    std::array<quint8, 16> bytes{};
    if (address.protocol() == QAbstractSocket::IPv6Protocol) {
        const Q_IPV6ADDR v6 = address.toIPv6Address();
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = v6[static_cast<int>(i)];
        return wordsInHex(bytes, 16);
    }
    const quint32 v4 = address.toIPv4Address();
    for (std::size_t i = 0; i < 4; ++i)
        bytes[i] = static_cast<quint8>(v4 >> (24 - 8 * i));
    return wordsInHex(bytes, 4);
}

// A line of /proc/net/tcp: sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
std::optional<Listening> listeningIn(const QString &table, const ListenAddress &where)
{
    QFile file(table);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray port = QByteArray::number(where.port, 16).rightJustified(4, '0').toUpper();
    const QByteArray own = addressInHex(where.address);
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        if (fields.size() < 10 || fields.at(3) != "0A") // TCP_LISTEN
            continue;
        const qsizetype colon = fields.at(1).indexOf(':');
        const QByteArray address = fields.at(1).left(colon);
        const bool any = address.count('0') == address.size();
        if (fields.at(1).mid(colon + 1) == port && (any || address == own))
            return Listening{fields.at(7).toUInt(), fields.at(9)};
    }
    return std::nullopt;
}

qint64 processWith(const QByteArray &inode)
{
    const QString wanted = QStringLiteral("socket:[%1]").arg(QString::fromLatin1(inode));
    const QStringList processes
        = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
    for (const QString &process : processes) {
        const QDir open(QStringLiteral("/proc/%1/fd").arg(process));
        const QStringList numbers
            = open.entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot);
        for (const QString &number : numbers) {
            // Not the resolved target: a socket's is no path.
            std::array<char, 64> target{};
            const QByteArray link = QFile::encodeName(open.filePath(number));
            const auto size = ::readlink(link.constData(), target.data(), target.size());
            if (size > 0 && wanted == QString::fromLatin1(target.data(), qsizetype(size)))
                return process.toLongLong();
        }
    }
    return 0;
}

// A program that was built again while it ran is "… (deleted)", and still the same one.
QString executableOf(const QString &process)
{
    QString path = QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(process));
    const QLatin1String deleted(" (deleted)");
    if (path.endsWith(deleted))
        path.chop(deleted.size());
    return path;
}

QString nameOf(const PortOwner &owner)
{
    return owner.pid == 0 ? QStringLiteral("a process of user %1").arg(owner.uid)
                          : QStringLiteral("%1 (pid %2)").arg(owner.name).arg(owner.pid);
}

QString freePort(const QHostAddress &address)
{
    QTcpServer probe;
    return probe.listen(address, 0) ? QString::number(probe.serverPort()) : QStringLiteral("0");
}

} // namespace

QString addressText(const ListenAddress &where)
{
    const QString host = where.address.toString();
    const bool v6 = host.contains(QLatin1Char(':'));
    return (v6 ? QString(QLatin1Char('[') % host % QLatin1Char(']')) : host) % QLatin1Char(':')
        % QString::number(where.port);
}

std::optional<PortOwner> portOwner(const ListenAddress &where)
{
    auto listening = listeningIn(QStringLiteral("/proc/net/tcp"), where);
    if (!listening)
        listening = listeningIn(QStringLiteral("/proc/net/tcp6"), where);
    if (!listening)
        return std::nullopt;
    PortOwner owner;
    owner.uid = listening->uid;
    owner.pid = processWith(listening->inode);
    if (owner.pid == 0)
        return owner;
    const QString process = QString::number(owner.pid);
    QFile comm(QStringLiteral("/proc/%1/comm").arg(process));
    if (comm.open(QIODevice::ReadOnly))
        owner.name = QString::fromUtf8(comm.readAll().trimmed());
    const QString executable = executableOf(process);
    owner.isThisProgram
        = !executable.isEmpty() && executable == executableOf(QStringLiteral("self"));
    return owner;
}

std::optional<RunningHeadway> askRunningHeadway(const ListenAddress &where,
                                                const std::string &controlKey)
{
    QTcpSocket socket;
    socket.setProxy(QNetworkProxy::NoProxy);
    socket.connectToHost(where.address, where.port);
    if (!socket.waitForConnected(patienceMs))
        return std::nullopt;
    socket.write("GET /headway/v1/state HTTP/1.1\r\nHost: " + addressText(where).toLatin1()
                 + "\r\nAuthorization: Bearer " + QByteArray::fromStdString(controlKey)
                 + "\r\nConnection: close\r\n\r\n");
    QByteArray answer;
    while (answer.size() <= largestAnswer && socket.waitForReadyRead(patienceMs))
        answer += socket.readAll();
    const qsizetype head = answer.indexOf("\r\n\r\n");
    if (head < 0 || !answer.startsWith("HTTP/1.1 200 "))
        return std::nullopt;
    const QJsonObject state = QJsonDocument::fromJson(answer.mid(head + 4)).object();
    const QString upstream = state.value(QStringLiteral("upstream")).toString();
    if (upstream.isEmpty())
        return std::nullopt;
    return RunningHeadway{upstream, state.value(QStringLiteral("upstream_state")).toString()};
}

PortReport reportPort(const ListenAddress &where, const std::string &controlKey)
{
    const QString address = addressText(where);
    QTcpServer probe;
    if (probe.listen(where.address, where.port))
        return {true, false, false, address % QStringLiteral(" is free"), {}, {}};
    const QString reason = probe.errorString();
    const auto owner = portOwner(where);
    if (owner && owner->isThisProgram && !controlKey.empty()) {
        if (const auto running = askRunningHeadway(where, controlKey)) {
            return {false,
                    true,
                    running->isSimulated(),
                    QStringLiteral("a Headway runs at %1 (pid %2), %3")
                        .arg(address)
                        .arg(owner->pid)
                        .arg(running->isSimulated()
                                 ? QStringLiteral("with --simulate: nothing leaves this machine")
                                 : QStringLiteral("upstream %1 (%2)")
                                       .arg(running->upstream, running->upstreamState)),
                    {},
                    {}};
        }
    }
    QString text = owner ? QStringLiteral("%1 is held by %2").arg(address, nameOf(*owner))
                         : QStringLiteral("%1 cannot be listened on (%2)").arg(address, reason);
    if (!owner)
        return {false, false, false, text, text, {}};
    if (owner->isThisProgram)
        text += QStringLiteral(", a Headway with another control key");
    const QString free
        = address.left(address.lastIndexOf(QLatin1Char(':')) + 1) % freePort(where.address);
    return {false,
            false,
            false,
            text
                % QStringLiteral("; port %1 is free: listen=%2")
                      .arg(free.section(QLatin1Char(':'), -1), free),
            text,
            free};
}

} // namespace headway::app
