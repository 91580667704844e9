// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/plansignin.h"
#include "app/portowner.h"
#include "app/proxysetup.h"
#include "proxy/net/clock.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/outboundproxy.h"
#include "proxy/net/upstream/upstreamsocket.h"

#include <QDateTime>
#include <QDir>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStorageInfo>

#include <vector>

namespace headway::app {

namespace {

using settings::Key;
using settings::Settings;

struct Finding
{
    QString check;
    bool ok = true;
    QString text;
};

Finding checkSettings(const std::vector<std::string> &notices)
{
    Finding finding{QStringLiteral("settings"), notices.empty(), QStringLiteral("no complaint")};
    QStringList texts;
    for (const std::string &notice : notices)
        texts << QString::fromStdString(notice);
    if (!notices.empty())
        finding.text = texts.join(QLatin1String("; "));
    return finding;
}

// Fine where a proxy could listen, or one of this installation does already, perhaps with a
// simulated provider.
Finding checkPort(const Settings &settings, const store::Paths &paths, bool &isSimulated)
{
    const auto address = parseListenAddress(QString::fromStdString(settings.text(Key::Listen)));
    if (!address)
        return {QStringLiteral("port"), false, address.error()};
    const PortReport report = reportPort(*address, controlKeyOf(settings, paths));
    isSimulated = report.isSimulated;
    return {QStringLiteral("port"), report.isFree || report.isOurs, report.text};
}

Finding checkDisk(const store::Paths &paths)
{
    QDir folder(paths.stateFolder());
    while (!folder.exists() && folder.cdUp()) {
    }
    const QStorageInfo storage(folder);
    const qint64 freeMib = storage.bytesAvailable() >> 20;
    constexpr qint64 leastMib = 200;
    return {QStringLiteral("disk"),
            storage.isValid() && !storage.isReadOnly() && freeMib >= leastMib,
            QStringLiteral("%1 MiB free under %2").arg(freeMib).arg(paths.stateFolder())};
}

Finding checkClock()
{
    const auto now = net::readClock().wall.time_since_epoch();
    constexpr std::chrono::hours built{24 * 365 * 56}; // no clock is right before 2026
    return {QStringLiteral("clock"), now > built,
            QDateTime::currentDateTimeUtc().toString(Qt::ISODate)};
}

// What a connection would present, as the proxy finds it: a sign-in that is due is renewed.
engine::UpstreamAccess::Result askAccess(const UpstreamSetup &setup)
{
    engine::UpstreamAccess access(setup.endpoint, setup.plan, setup.profiles, 0);
    engine::UpstreamAccess::Result result;
    QEventLoop loop;
    bool answered = false;
    access.ask({}, &loop, [&](const engine::UpstreamAccess::Result &pass) {
        result = pass;
        answered = true;
        loop.quit();
    });
    if (!answered)
        loop.exec();
    return result;
}

Finding checkCredential(const UpstreamSetup &setup, const engine::UpstreamAccess::Result &pass)
{
    const QString check = QStringLiteral("credential");
    if (!pass)
        return {check, false, pass.error().text};
    if (setup.plan)
        return {check, true, QStringLiteral("signed in to the ChatGPT plan")};
    const net::Endpoint &endpoint = setup.endpoint;
    const auto missing = missingCredential(endpoint);
    return {check, !missing,
            missing ? *missing
                : endpoint.key.empty()
                ? QStringLiteral("none, and none is needed on loopback")
                : QStringLiteral("there is one for %1").arg(endpoint.url.host())};
}

// One upgrade, as a turn would make it; no turn is sent.
Finding checkReachable(const engine::UpstreamAccess::Pass &pass)
{
    const net::Endpoint &endpoint = pass.endpoint;
    Finding finding{QStringLiteral("upstream"), false, {}};
    net::UpstreamSocket socket;
    QEventLoop loop;
    QObject::connect(&socket, &net::UpstreamSocket::opened, &loop, [&] {
        finding.ok = true;
        finding.text = QStringLiteral("%1 answers").arg(endpoint.url.toString());
        loop.quit();
    });
    QObject::connect(&socket, &net::UpstreamSocket::rejected, &loop,
                     [&](const net::UpgradeReply &reply) {
                         finding.text = QStringLiteral("%1 refused the upgrade with status %2")
                                            .arg(endpoint.url.toString())
                                            .arg(reply.status);
                         loop.quit();
                     });
    QObject::connect(&socket, &net::UpstreamSocket::failed, &loop, [&](const QString &reason) {
        finding.text = reason;
        loop.quit();
    });
    socket.open(endpoint, pass.headers, std::chrono::seconds{10});
    loop.exec();
    return finding;
}

void checkUpstream(const Settings &settings, const store::Paths &paths, bool isSimulated,
                   std::vector<Finding> &findings)
{
    const std::string &url = settings.text(Key::Upstream);
    if (url.empty() && isSimulated) {
        findings.push_back({QStringLiteral("upstream"), true,
                            QStringLiteral("none is set, and the Headway that runs needs none: it "
                                           "simulates its provider")});
        return;
    }
    if (url.empty()) {
        findings.push_back(
            {QStringLiteral("upstream"), false,
             QStringLiteral("none is set; set HEADWAY_UPSTREAM or try headway --demo")});
        return;
    }
    const auto setup = readUpstreams(url, settings, paths);
    if (!setup) {
        findings.push_back({QStringLiteral("upstream"), false, setup.error()});
        return;
    }
    const auto outbound = net::outboundProxy(setup->endpoint.url, net::processEnvironment());
    findings.push_back({QStringLiteral("proxy variables"), outbound.has_value(),
                        outbound ? QStringLiteral("no complaint") : outbound.error()});
    const auto pass = askAccess(*setup);
    findings.push_back(checkCredential(*setup, pass));
    if (outbound && pass)
        findings.push_back(checkReachable(*pass));
}

void print(const std::vector<Finding> &findings, bool json)
{
    QJsonArray array;
    for (const Finding &finding : findings) {
        array.append(QJsonObject{{QStringLiteral("check"), finding.check},
                                 {QStringLiteral("ok"), finding.ok},
                                 {QStringLiteral("text"), finding.text}});
        if (!json)
            printOut(QStringLiteral("%1 %2 %3\n")
                         .arg(finding.ok ? QStringLiteral("ok  ") : QStringLiteral("FAIL"))
                         .arg(finding.check, -16)
                         .arg(finding.text)
                         .toUtf8());
    }
    if (json)
        printOut(QJsonDocument(array).toJson(QJsonDocument::Compact) + '\n');
}

} // namespace

int doctorCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("doctor"),
                     QStringLiteral("Checks settings, port, upstream, clock and disk."));
    line.add(QStringLiteral("json"), QStringLiteral("Prints the findings as JSON."));
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;
    const store::Paths paths = store::Paths::ofUser();
    std::vector<std::string> notices;
    const auto settings = readSettings(paths, line, notices);
    if (!settings) {
        printError(settings.error());
        return WrongCall;
    }
    bool isSimulated = false;
    std::vector<Finding> findings{checkSettings(notices), checkPort(*settings, paths, isSimulated),
                                  checkDisk(paths), checkClock()};
    checkUpstream(*settings, paths, isSimulated, findings);
    print(findings, line.has(QStringLiteral("json")));
    for (const Finding &finding : findings) {
        if (!finding.ok)
            return Failed;
    }
    return Fine;
}

} // namespace headway::app
