// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientsetup.h"
#include "app/commandline.h"
#include "app/commands.h"
#include "app/proxysetup.h"
#include "proxy/core/settings/upstreams.h"
#include "proxy/store/keys.h"

namespace headway::app {

int envCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("env"),
                     QStringLiteral("Prints what a client needs to talk to Headway."));
    line.addPositional(QStringLiteral("client"), QStringLiteral("claude, codex or curl"));
    line.add(QStringLiteral("redact"), QStringLiteral("Hides the access key."));
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;
    const QString client = line.positional().value(0);
    const store::Paths paths = store::Paths::ofUser();
    std::vector<std::string> notices;
    const auto settings = readSettings(paths, line, notices);
    if (!settings) {
        printError(settings.error());
        return WrongCall;
    }
    printNotices(notices);

    const auto where
        = parseListenAddress(QString::fromStdString(settings->text(settings::Key::Listen)));
    if (!where) {
        printError(where.error());
        return WrongCall;
    }
    ClientSetupFacts facts;
    facts.baseUrl = clientUrl(*where);
    const std::string &own = settings->text(settings::Key::AccessKey);
    facts.accessKey = QString::fromStdString(
        own.empty() ? store::loadOrMakeKeys(paths.keysFile()).keys.access : own);
    if (line.has(QStringLiteral("redact")))
        facts.accessKey = QStringLiteral("ACCESS_KEY");
    const QString models = QString::fromStdString(settings->text(settings::Key::Models));
    for (const QString &entry : models.split(QLatin1Char(','), Qt::SkipEmptyParts))
        facts.models.append(entry.section(QLatin1Char('='), 0, 0).trimmed()); // an alias: its name

    const auto upstreams = settings::parseUpstreams(settings->text(settings::Key::Upstream));
    facts.passThrough = upstreams && !upstreams->anthropic.empty();

    facts.sockets = settings->flag(settings::Key::ClientSockets);

    if (client == QLatin1String("claude"))
        printOut(claudeSetup(facts).toUtf8());
    else if (client == QLatin1String("codex"))
        printOut(codexSetup(facts).toUtf8());
    else if (client == QLatin1String("curl"))
        printOut(curlSetup(facts).toUtf8());
    else {
        printError(QStringLiteral("env takes one of claude, codex, curl"));
        return WrongCall;
    }
    return Fine;
}

} // namespace headway::app
