// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/lab.h"
#include "proxy/core/lab/replay.h"

#include <QString>

#include <utility>

namespace headway::app {

namespace {

tl::expected<lab::Arrivals, QString> readInput(const QString &path,
                                               const settings::Settings &settings)
{
    if (isLedger(path)) {
        auto arrivals = arrivalsFromLedger(path);
        if (!arrivals)
            return tl::unexpected(arrivals.error());
        return lab::Arrivals{*std::move(arrivals), {}, {}};
    }
    const auto bytes = readLabFile(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    auto arrivals = lab::readArrivals({bytes->constData(), static_cast<std::size_t>(bytes->size())},
                                      settings);
    if (!arrivals)
        return tl::unexpected(QString::fromStdString(arrivals.error().text(path.toStdString())));
    return *std::move(arrivals);
}

} // namespace

int labReplay(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("lab replay"),
                     QStringLiteral("What the pacer would have decided about recorded arrivals: "
                                    "JSONL in, or a ledger; JSONL out."));
    line.addPositional(QStringLiteral("file"),
                       QStringLiteral("Arrivals (JSONL) or a ledger (SQLite)."));
    line.add(QStringLiteral("json"), QStringLiteral("The output is JSONL always."));
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;
    if (line.positional().isEmpty()) {
        printError(QStringLiteral("lab replay takes a file of arrivals; see --help"));
        return WrongCall;
    }
    // Nothing of this machine counts: the same call gives the same bytes everywhere.
    settings::Settings settings;
    if (!line.applySettings(settings))
        return WrongCall;
    // Arrivals have no provider that rejects, so auto would let all of them pass and a rate would
    // change nothing: what is asked without a policy is asked of the bucket.
    if (!settings.isSet(settings::Key::Policy))
        (void)settings.set(settings::Source::CommandLine, settings::Key::Policy, "bucket");
    const auto input = readInput(line.positional().constFirst(), settings);
    if (!input) {
        printError(input.error());
        return WrongCall;
    }
    for (const std::string &notice : input->notices)
        printError(QString::fromStdString(notice));
    const std::string text = lab::replayText(lab::replay(*input, lab::pacingSetup(settings)));
    printOut(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
    return Fine;
}

} // namespace headway::app
