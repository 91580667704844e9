// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/lab.h"
#include "proxy/core/lab/comparison.h"
#include "proxy/core/lab/scenario.h"
#include "proxy/core/pacing/policynames.h"
#include "proxy/core/settings/terms.h"

#include <QFile>

#include <optional>
#include <utility>
#include <vector>

namespace headway::app {

namespace {

constexpr qint64 mostSeeds = 10'000;

void describe(CommandLine &line)
{
    line.addPositional(QStringLiteral("scenario"), QStringLiteral("A scenario file (JSON)."));
    line.allowMorePositionals();
    line.add(QStringLiteral("policy"),
             QStringLiteral("off, fixed, bucket, adaptive, auto, or all; default: the setting."),
             QStringLiteral("name"));
    line.add(QStringLiteral("seeds"),
             QStringLiteral("Means over that many runs, seeds counted up from the scenario's."),
             QStringLiteral("N"), QStringLiteral("1"));
    line.add(QStringLiteral("json"), QStringLiteral("One JSON object per scenario."));
    line.add(QStringLiteral("markdown"),
             QStringLiteral("One table for all scenarios: cost + 0.5, geometric means, and their "
                            "ratio to the oracle."));
    line.add(QStringLiteral("trace"), QStringLiteral("Writes every event, one JSON object a line."),
             QStringLiteral("file"));
    line.addSettings();
}

tl::expected<lab::Scenario, QString> readScenarioFile(const QString &path)
{
    const auto bytes = readLabFile(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    auto scenario
        = lab::readScenario({bytes->constData(), static_cast<std::size_t>(bytes->size())});
    if (!scenario)
        return tl::unexpected(QString::fromStdString(scenario.error().text(path.toStdString())));
    return *std::move(scenario);
}

// All scenarios, or nothing after a message: nothing is run unless all of them are well.
std::optional<std::vector<lab::Scenario>> readScenarios(const CommandLine &line)
{
    if (line.positional().isEmpty()) {
        printError(QStringLiteral("lab run takes a scenario file; see --help"));
        return std::nullopt;
    }
    std::vector<lab::Scenario> scenarios;
    for (const QString &path : line.positional()) {
        auto scenario = readScenarioFile(path);
        if (!scenario) {
            printError(scenario.error());
            return std::nullopt;
        }
        for (const std::string &notice : scenario->notices)
            printError(path % QStringLiteral(": ") % QString::fromStdString(notice));
        // --set comes before what the file says.
        if (!line.applySettings(scenario->settings))
            return std::nullopt;
        scenarios.push_back(*std::move(scenario));
    }
    return scenarios;
}

// The policies asked for; empty: the one the settings name.
std::optional<std::vector<pacing::Policy>> readPolicies(const CommandLine &line)
{
    const QString wanted = line.value(QStringLiteral("policy"));
    if (!line.has(QStringLiteral("policy")))
        return std::vector<pacing::Policy>{};
    if (wanted == QLatin1String("all"))
        return std::vector<pacing::Policy>(pacing::policies.begin(), pacing::policies.end());
    if (const auto policy = pacing::policyNamed(wanted.toStdString()))
        return std::vector<pacing::Policy>{*policy};
    printError(
        QStringLiteral("--policy takes off, fixed, bucket, adaptive, auto or all, not \"%1\"")
            .arg(wanted));
    return std::nullopt;
}

class TraceFile final
{
public:
    // False after a message.
    bool open(const CommandLine &line)
    {
        if (!line.has(QStringLiteral("trace")))
            return true;
        m_file.setFileName(line.value(QStringLiteral("trace")));
        if (m_file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return true;
        printError(
            QStringLiteral("cannot write %1: %2").arg(m_file.fileName(), m_file.errorString()));
        return false;
    }

    lab::Trace::Sink sink()
    {
        if (!m_file.isOpen())
            return {};
        return [this](std::string_view text) {
            m_file.write(text.data(), static_cast<qint64>(text.size()));
        };
    }

    // False after a message: a disk may be full.
    bool close()
    {
        if (!m_file.isOpen() || (m_file.flush() && m_file.error() == QFileDevice::NoError))
            return true;
        printError(
            QStringLiteral("cannot write %1: %2").arg(m_file.fileName(), m_file.errorString()));
        return false;
    }

private:
    QFile m_file;
};

} // namespace

int labRun(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("lab run"),
                     QStringLiteral("Runs the shipped pacing and pooling code in virtual time "
                                    "against a modelled provider and modelled agents."));
    describe(line);
    if (const auto over = line.parse(arguments))
        return *over;
    const auto seeds = line.number(QStringLiteral("seeds"), 1, mostSeeds);
    const auto policies = readPolicies(line);
    if (!seeds || !policies)
        return WrongCall;
    const auto scenarios = readScenarios(line);
    if (!scenarios)
        return WrongCall;
    TraceFile trace;
    if (!trace.open(line))
        return Failed;
    const bool markdown = line.has(QStringLiteral("markdown"));
    std::vector<lab::Comparison> comparisons;
    for (const lab::Scenario &scenario : *scenarios) {
        const std::vector<pacing::Policy> own{settings::pacerSettings(scenario.settings).policy};
        comparisons.push_back(lab::compare(scenario, scenario.settings,
                                           policies->empty() ? own : *policies,
                                           static_cast<std::size_t>(*seeds), trace.sink()));
        const lab::Comparison &done = comparisons.back();
        if (line.has(QStringLiteral("json")))
            printOut(QByteArray::fromStdString(lab::comparisonJson(done)));
        else if (!markdown)
            printOut(QByteArray::fromStdString(lab::comparisonTable(done)));
    }
    if (markdown && !line.has(QStringLiteral("json")))
        printOut(QByteArray::fromStdString(lab::comparisonMarkdown(comparisons)));
    return trace.close() ? Fine : Failed;
}

} // namespace headway::app
