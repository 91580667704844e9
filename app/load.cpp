// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/load.h"

#include "app/commandline.h"

#include <QJsonObject>
#include <QStringList>

namespace headway::app {

namespace {

using namespace std::chrono_literals;

constexpr int mostTurns = 5'000;
constexpr int mostRecords = 100'000;
constexpr int meanSeconds = 240; // of a turn; under the deadline of ten minutes
constexpr int spreadSeconds = 120; // so that turns do not end together
constexpr int repliesPerAgent = 1'000; // days

// A word is a delta.
simulator::Reply steadyReply()
{
    QStringList words;
    for (int i = 0; i < meanSeconds; ++i)
        words << QStringLiteral("word%1").arg(i);
    simulator::Reply reply;
    reply.kind = simulator::Reply::Kind::Text;
    reply.input = QJsonObject{{QStringLiteral("text"), words.join(QLatin1Char(' '))}};
    return reply;
}

} // namespace

void addLoadOption(CommandLine &line)
{
    line.add(QStringLiteral("load"),
             QStringLiteral("With --demo: keeps N turns in flight, one delta a second each, and N "
                            "ledger records a second, to see what the window costs. Nothing is "
                            "paced then, unless a policy is set."),
             QStringLiteral("turns=N,records=N"));
}

tl::expected<Load, QString> parseLoad(const QString &text)
{
    Load load;
    const QStringList parts = text.split(QLatin1Char(','));
    for (const QString &part : parts) {
        const QString name = part.section(QLatin1Char('='), 0, 0).trimmed();
        bool isNumber = false;
        const int value = part.section(QLatin1Char('='), 1).trimmed().toInt(&isNumber);
        const bool isTurns = name == QLatin1String("turns");
        const int most = isTurns ? mostTurns : mostRecords;
        if ((!isTurns && name != QLatin1String("records")) || !isNumber || value < 0
            || value > most)
            return tl::unexpected(
                QStringLiteral("--load takes turns=N,records=N, with at most %1 turns and %2 "
                               "records a second, not \"%3\"")
                    .arg(mostTurns)
                    .arg(mostRecords)
                    .arg(part));
        (isTurns ? load.turns : load.recordsPerSecond) = value;
    }
    return load;
}

simulator::Scenario loadScenario()
{
    simulator::Scenario scenario;
    scenario.turn = {std::chrono::seconds(meanSeconds - spreadSeconds),
                     std::chrono::seconds(meanSeconds + spreadSeconds)};
    scenario.replies.assign(repliesPerAgent, steadyReply());
    return scenario;
}

} // namespace headway::app
