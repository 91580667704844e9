// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientsetup.h"

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

QString claudeSetup(const ClientSetupFacts &facts)
{
    QString text = QStringLiteral("export ANTHROPIC_BASE_URL=%1\n").arg(keyedUrl(facts));
    if (facts.passThrough) // the client keeps its own login, and its own models
        return text;
    text += QStringLiteral("export ANTHROPIC_API_KEY=headway\n");
    if (!facts.models.isEmpty()) {
        text += QStringLiteral("export ANTHROPIC_MODEL=%1\n"
                               "export ANTHROPIC_DEFAULT_HAIKU_MODEL=%2\n")
                    .arg(facts.models.first(), facts.models.last());
    }
    return text;
}

QString codexSetup(const ClientSetupFacts &facts)
{
    return QStringLiteral("# ~/.codex/config.toml\n"
                          "model = \"%1\"\n"
                          "model_provider = \"headway\"\n"
                          "\n"
                          "[model_providers.headway]\n"
                          "name = \"Headway\"\n"
                          "base_url = \"%2/v1\"\n"
                          "wire_api = \"responses\"\n"
                          "supports_websockets = true\n")
        .arg(firstModel(facts), keyedUrl(facts));
}

QString curlSetup(const ClientSetupFacts &facts)
{
    return QStringLiteral("curl -N %1/v1/responses -H 'content-type: application/json' \\\n"
                          "  -d '{\"model\":\"%2\",\"input\":\"Say hello.\",\"stream\":true}'\n")
        .arg(keyedUrl(facts), firstModel(facts));
}

} // namespace headway::app
