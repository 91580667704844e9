// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/agents.h"

#include "app/commandline.h"
#include "app/commands.h"
#include "app/unixsignals.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QTcpSocket>
#include <QUrl>

#include <optional>
#include <utility>

namespace headway::app {

namespace {

std::optional<std::pair<base::Milliseconds, base::Milliseconds>> thinkRange(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char(','));
    bool lowFine = false;
    bool highFine = false;
    const int low = parts.value(0).trimmed().toInt(&lowFine);
    const int high = parts.value(1).trimmed().toInt(&highFine);
    if (parts.size() != 2 || !lowFine || !highFine || low < 0 || high < low) {
        printError(
            QStringLiteral("--think takes two numbers of milliseconds, for example 500,4000"));
        return std::nullopt;
    }
    return std::pair{base::Milliseconds{low}, base::Milliseconds{high}};
}

void addOptions(CommandLine &line)
{
    line.add(QStringLiteral("base-url"),
             QStringLiteral("Where the proxy is, http://127.0.0.1:17421 for example."),
             QStringLiteral("url"));
    line.add(QStringLiteral("count"), QStringLiteral("How many agents."), QStringLiteral("n"),
             QStringLiteral("10"));
    line.add(QStringLiteral("turns"), QStringLiteral("Turns of each agent."), QStringLiteral("n"),
             QStringLiteral("5"));
    line.add(QStringLiteral("sessions"), QStringLiteral("Sessions the agents are spread over."),
             QStringLiteral("n"), QStringLiteral("1"));
    line.add(QStringLiteral("think"), QStringLiteral("Pause between turns, ms."),
             QStringLiteral("low,high"), QStringLiteral("500,4000"));
    line.add(QStringLiteral("dialect"), QStringLiteral("messages or responses."),
             QStringLiteral("name"), QStringLiteral("messages"));
    line.add(QStringLiteral("key"), QStringLiteral("Access key; else HEADWAY_ACCESS_KEY."),
             QStringLiteral("key"));
    line.add(QStringLiteral("json"), QStringLiteral("Prints the result as JSON."));
}

std::optional<simulator::FleetOptions> optionsOf(const CommandLine &line)
{
    simulator::FleetOptions options;
    const auto url = simulator::parseBaseUrl(line.value(QStringLiteral("base-url")));
    if (!url) {
        printError(QStringLiteral("--base-url: ") % QString::fromStdString(url.error()));
        return std::nullopt;
    }
    options.baseUrl = *url;
    const auto count = line.number(QStringLiteral("count"), 1, 100'000);
    const auto turns = line.number(QStringLiteral("turns"), 1, 1'000'000);
    const auto sessions = line.number(QStringLiteral("sessions"), 1, 100'000);
    const auto think = thinkRange(line.value(QStringLiteral("think")));
    if (!count || !turns || !sessions || !think)
        return std::nullopt;
    options.count = static_cast<int>(*count);
    options.turns = static_cast<int>(*turns);
    options.sessions = static_cast<int>(*sessions);
    options.think = *think;
    const QString dialect = line.value(QStringLiteral("dialect"));
    if (dialect != QLatin1String("messages") && dialect != QLatin1String("responses")) {
        printError(QStringLiteral("--dialect takes messages or responses"));
        return std::nullopt;
    }
    options.dialect = dialect == QLatin1String("messages") ? simulator::AgentDialect::Messages
                                                           : simulator::AgentDialect::Responses;
    options.key = line.has(QStringLiteral("key")) ? line.value(QStringLiteral("key"))
                                                  : qEnvironmentVariable("HEADWAY_ACCESS_KEY");
    return options;
}

// Nobody there is told at once: the agents would retry for minutes, as the real ones do.
bool isSomebodyThere(const QUrl &url)
{
    constexpr int patienceMs = 5'000;
    constexpr int httpPort = 80;
    QTcpSocket socket;
    socket.connectToHost(url.host(), static_cast<quint16>(url.port(httpPort)));
    if (socket.waitForConnected(patienceMs))
        return true;
    printError(QStringLiteral("nothing listens at %1 (%2); start headway serve, or give the "
                              "address it prints as --base-url")
                   .arg(url.toString(QUrl::RemovePath), socket.errorString()));
    return false;
}

void printResult(const simulator::FleetResult &result, bool json)
{
    const QJsonObject object = result.toJson();
    if (json) {
        printOut(QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n');
        return;
    }
    for (auto member = object.begin(); member != object.end(); ++member) {
        const QString value = member->isObject()
            ? QString::fromUtf8(QJsonDocument(member->toObject()).toJson(QJsonDocument::Compact))
            : member->toVariant().toString();
        printOut(QStringLiteral("%1 %2\n").arg(member.key(), -14).arg(value).toUtf8());
    }
}

} // namespace

int agentsCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("agents"),
                     QStringLiteral("Simulated agents that fan out, call tools and continue."));
    addOptions(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto options = optionsOf(line);
    if (!options)
        return WrongCall;
    if (!isSomebodyThere(options->baseUrl))
        return Failed;
    simulator::AgentFleet fleet(*options);
    const UnixSignals received;
    QObject::connect(&received, &UnixSignals::terminated, &fleet, &simulator::AgentFleet::stop);
    QObject::connect(&fleet, &simulator::AgentFleet::finished, QCoreApplication::instance(),
                     &QCoreApplication::quit, Qt::QueuedConnection);
    fleet.start();
    QCoreApplication::exec();
    printResult(fleet.result(), line.has(QStringLiteral("json")));
    return fleet.result().lost == 0 ? Fine : Failed;
}

} // namespace headway::app
