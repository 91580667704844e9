// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands.h"
#include "app/plansignin.h"
#include "app/proxysetup.h"
#include "proxy/engine/planlogin.h"

#include <QEventLoop>

#include <functional>

namespace headway::app {

namespace {

using engine::PlanLogin;
using store::SignInStore;

QString placeWords(SignInStore::Place place, const QString &path)
{
    return place == SignInStore::Place::Keychain
        ? QStringLiteral("the keychain")
        : QString(path % QStringLiteral(", readable by you alone (no keychain answers)"));
}

// Runs one sign-in or sign-out to its end; the exit status.
int run(CommandLine &line, const std::function<void(PlanLogin &)> &begin,
        const std::function<QString(SignInStore::Place, const QString &)> &words)
{
    const store::Paths paths = store::Paths::ofUser();
    std::vector<std::string> notices;
    const auto settings = readSettings(paths, line, notices);
    if (!settings) {
        printError(settings.error());
        return WrongCall;
    }
    const auto upstreams = settings::parseUpstreams(settings->text(settings::Key::Upstream));
    const auto options = planOptions(upstreams.value_or(settings::Upstreams{}), paths);
    if (!options) {
        printError(options.error());
        return Failed;
    }
    PlanLogin login(*options);
    QEventLoop loop;
    int status = Failed;
    QObject::connect(&login, &PlanLogin::codeReady, &loop,
                     [](const QString &url, const QString &code, int minutes) {
                         printError(QStringLiteral("open %1 in a browser and enter the code %2 "
                                                   "(it is good for %3 minutes)")
                                        .arg(url, code)
                                        .arg(minutes));
                     });
    QObject::connect(&login, &PlanLogin::finished, &loop, [&](SignInStore::Place place) {
        printError(words(place, options->storePath));
        status = Fine;
        loop.quit();
    });
    QObject::connect(&login, &PlanLogin::failed, &loop, [&](const QString &text) {
        printError(text);
        loop.quit();
    });
    // What ends at once must find the loop running.
    QMetaObject::invokeMethod(
        &login, [&] { begin(login); }, Qt::QueuedConnection);
    loop.exec();
    return status;
}

bool namesThePlan(const CommandLine &line)
{
    if (line.positional().value(0) == QLatin1String("chatgpt"))
        return true;
    printError(QStringLiteral("there is one thing to sign in to: chatgpt"));
    return false;
}

} // namespace

int loginCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("login"),
                     QStringLiteral("Signs in to the ChatGPT plan, with tokens of Headway's own."));
    line.addPositional(QStringLiteral("service"), QStringLiteral("chatgpt"));
    line.add(QStringLiteral("device"),
             QStringLiteral("By a code that is entered in any browser: the one way there is."));
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;
    if (!namesThePlan(line))
        return WrongCall;
    return run(
        line, [](PlanLogin &login) { login.signIn(); },
        [](SignInStore::Place place, const QString &path) {
            return QString(QStringLiteral("signed in; the sign-in is kept in ")
                           % placeWords(place, path));
        });
}

int logoutCommand(const QStringList &arguments)
{
    CommandLine line(QStringLiteral("logout"),
                     QStringLiteral("Forgets Headway's sign-in to the ChatGPT plan."));
    line.addPositional(QStringLiteral("service"), QStringLiteral("chatgpt"));
    line.addSettings();
    if (const auto over = line.parse(arguments))
        return *over;
    if (!line.positional().isEmpty() && !namesThePlan(line))
        return WrongCall;
    return run(
        line, [](PlanLogin &login) { login.signOut(); },
        [](SignInStore::Place /*place*/, const QString & /*path*/) {
            return QStringLiteral("signed out; what codex login stored is untouched");
        });
}

} // namespace headway::app
