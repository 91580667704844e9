// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/upstreamchooser.h"

#include "app/plansignin.h"
#include "app/proxysetup.h"
#include "proxy/core/settings/table.h"
#include "proxy/store/settingsfile.h"

#include <QCoreApplication>

#include <utility>
#include <vector>

namespace headway::app {

namespace {

using settings::Key;
using settings::Source;

struct Chooser
{
    Q_DECLARE_TR_FUNCTIONS(Chooser)
};

using Outcome = tl::expected<void, QString>;

// Into `settings`, as the file would say it.
Outcome put(settings::Settings &settings, Key key, const QString &text)
{
    const Source source = settings.source(key);
    if (source == Source::Environment || source == Source::CommandLine)
        return tl::unexpected(
            Chooser::tr("%1 was set when Headway was started, and counts more than what is chosen "
                        "here. Start Headway without it.")
                .arg(store::environmentName(key)));
    const auto outcome = settings.set(Source::File, key, text.toStdString());
    if (outcome.accepted)
        return {};
    return tl::unexpected(
        outcome.notice ? QString::fromStdString(outcome.notice->text)
                       : Chooser::tr("That is no value for %1.").arg(store::environmentName(key)));
}

} // namespace

tl::expected<void, QString> keepUpstream(const ui::UpstreamChoice &choice,
                                         const store::Paths &paths, const CommandLine &commandLine)
{
    std::vector<std::string> notices;
    auto settings = readSettings(paths, commandLine, notices);
    if (!settings)
        return tl::unexpected(settings.error());
    // The key first: an upstream without one would be used at the next start.
    std::vector<std::pair<Key, QString>> all;
    if (!choice.key.isEmpty())
        all.emplace_back(Key::UpstreamKey, choice.key);
    all.emplace_back(Key::Upstream, choice.upstream);
    for (const auto &[key, text] : all)
        if (const auto done = put(*settings, key, text); !done)
            return done;
    const std::string upstream = settings->text(Key::Upstream);
    if (const auto known = readUpstreams(upstream, *settings, paths); !known)
        return tl::unexpected(known.error());
    const store::SettingsFile file(paths.settingsFile());
    for (const auto &[key, text] : all)
        if (const auto written = file.write(key, text.toStdString()); !written)
            return tl::unexpected(written.error().text);
    return {};
}

} // namespace headway::app
