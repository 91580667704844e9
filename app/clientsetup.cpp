// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientsetup.h"

#include "app/portowner.h"

namespace headway::app {

namespace {

// The key as a path prefix leaves the client's own headers alone (spec/safety.md).
QString keyedUrl(const ClientSetupFacts &facts)
{
    return facts.accessKey.isEmpty() ? facts.baseUrl
                                     : facts.baseUrl % QStringLiteral("/k/") % facts.accessKey;
}

QString firstModel(const ClientSetupFacts &facts)
{
    return facts.models.isEmpty() ? QStringLiteral("gpt-5.5") : facts.models.first();
}

} // namespace

QString clientUrl(const ListenAddress &where)
{
    ListenAddress reached = where;
    if (where.address == QHostAddress(QHostAddress::AnyIPv4))
        reached.address = QHostAddress(QHostAddress::LocalHost);
    else if (where.address == QHostAddress(QHostAddress::AnyIPv6)) // takes no IPv4: Qt binds it so
        reached.address = QHostAddress(QHostAddress::LocalHostIPv6);
    QString authority = addressText(reached);
    authority.replace(QLatin1Char('%'), QLatin1String("%25")); // of a link-local address' scope
    return QStringLiteral("http://") + authority;
}

QList<QPair<QString, QString>> claudeVariables(const ClientSetupFacts &facts)
{
    QList<QPair<QString, QString>> variables{
        {QStringLiteral("ANTHROPIC_BASE_URL"), keyedUrl(facts)}};
    if (facts.passThrough) // the client keeps its own login, and its own models
        return variables;
    variables.append({QStringLiteral("ANTHROPIC_API_KEY"), QStringLiteral("headway")});
    if (!facts.models.isEmpty()) {
        variables.append({QStringLiteral("ANTHROPIC_MODEL"), facts.models.first()});
        variables.append({QStringLiteral("ANTHROPIC_DEFAULT_HAIKU_MODEL"), facts.models.last()});
    }
    return variables;
}

QString codexModel(const ClientSetupFacts &facts)
{
    return firstModel(facts);
}

QString codexProvider(const ClientSetupFacts &facts)
{
    return QStringLiteral("[model_providers.headway]\n"
                          "name = \"Headway\"\n"
                          "base_url = \"%1/v1\"\n"
                          "wire_api = \"responses\"\n"
                          "supports_websockets = %2\n")
        .arg(keyedUrl(facts), facts.sockets ? QStringLiteral("true") : QStringLiteral("false"));
}

QString claudeSetup(const ClientSetupFacts &facts)
{
    QString text;
    for (const auto &[name, value] : claudeVariables(facts))
        text += QStringLiteral("export %1=%2\n").arg(name, value);
    return text;
}

QString codexSetup(const ClientSetupFacts &facts)
{
    return QStringLiteral("# At the top of ~/.codex/config.toml, before any [table]:\n"
                          "model = \"%1\"\n"
                          "model_provider = \"headway\"\n"
                          "\n"
                          "# At its end:\n")
               .arg(codexModel(facts))
        + codexProvider(facts);
}

QString curlSetup(const ClientSetupFacts &facts)
{
    return QStringLiteral("curl -N %1/v1/responses -H 'content-type: application/json' \\\n"
                          "  -d '{\"model\":\"%2\",\"input\":\"Say hello.\",\"stream\":true}'\n")
        .arg(keyedUrl(facts), firstModel(facts));
}

} // namespace headway::app
