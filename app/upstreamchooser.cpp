// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/upstreamchooser.h"

#include "app/plansignin.h"
#include "app/proxysetup.h"
#include "proxy/core/settings/table.h"
#include "proxy/store/settingsfile.h"

#include <QCoreApplication>

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
    // A key of the file was given for another upstream, so that this one must not get it; the plan
    // gets none, and leaves it.
    const bool hasOld = settings->source(Key::UpstreamKey) == Source::File
        && settings->text(Key::Upstream) != choice.upstream.toStdString();
    if (hasOld)
        settings->unset(Source::File, Key::UpstreamKey);
    if (!choice.key.isEmpty())
        if (const auto done = put(*settings, Key::UpstreamKey, choice.key); !done)
            return done;
    if (const auto done = put(*settings, Key::Upstream, choice.upstream); !done)
        return done;
    const std::string upstream = settings->text(Key::Upstream);
    const auto known = readUpstreams(upstream, *settings, paths);
    if (!known)
        return tl::unexpected(known.error());
    // The key first: an upstream without its own would be used at the next start.
    const store::SettingsFile file(paths.settingsFile());
    auto written = !choice.key.isEmpty() ? file.write(Key::UpstreamKey, choice.key.toStdString())
        : hasOld && !known->plan         ? file.remove(Key::UpstreamKey)
                                         : tl::expected<void, store::StoreError>();
    if (written)
        written = file.write(Key::Upstream, upstream);
    return written ? Outcome() : tl::unexpected(written.error().text);
}

} // namespace headway::app
