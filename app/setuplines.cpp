// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/setuplines.h"

#include "app/clientconfig.h"
#include "ui/views/mainwindow.h"
#include "ui/views/setupview.h"

namespace headway::app {

namespace {

QString claude()
{
    return QStringLiteral("Claude Code");
}

QString codex()
{
    return QStringLiteral("Codex");
}

} // namespace

SetupLines::SetupLines(ui::MainWindow &window, bool mayWrite)
    : m_window(window)
    , m_mayWrite(mayWrite)
    , m_claude(claudeConfigPath())
    , m_codex(codexConfigPath())
{
    const ui::SetupView *setup = window.places()->setup();
    connect(setup, &ui::SetupView::writeRequested, this, &SetupLines::write);
    connect(setup, &ui::SetupView::restoreRequested, this, &SetupLines::restore);
}

void SetupLines::show(const ClientSetupFacts &facts)
{
    m_facts = facts;
    m_texts.accessKey = facts.accessKey;
    m_texts.clients = {
        {claude(), claudeSetup(facts), tr("Paste into the shell that starts Claude Code.")},
        {codex(), codexSetup(facts),
         tr("Put into ~/.codex/config.toml as it says, or let Write do it.")},
        {QStringLiteral("curl"), curlSetup(facts), tr("One turn by hand.")},
    };
    if (m_mayWrite)
        for (ui::ClientSetup &each : m_texts.clients)
            if (each.name == claude() || each.name == codex()) {
                each.file = fileOf(each.name).path();
                each.canRestore = fileOf(each.name).canRestore();
            }
    m_window.setSetup(m_texts);
}

const ClientFile &SetupLines::fileOf(const QString &client) const
{
    return client == codex() ? m_codex : m_claude;
}

void SetupLines::write(const QString &client)
{
    const bool isCodex = client == codex();
    QString warning;
    auto outcome = fileOf(client).write([this, isCodex, &warning](std::string_view text) {
        if (isCodex)
            warning = codexProfileInTheWay(text);
        return isCodex ? withCodexProvider(text, m_facts) : withClaudeEnvironment(text, m_facts);
    });
    if (outcome && !warning.isEmpty())
        *outcome += u' ' + warning + u'.';
    tell(client, outcome);
}

void SetupLines::restore(const QString &client)
{
    tell(client, fileOf(client).restore());
}

void SetupLines::tell(const QString &client, const tl::expected<QString, QString> &outcome)
{
    for (ui::ClientSetup &each : m_texts.clients)
        if (each.name == client) {
            each.isWell = outcome.has_value();
            each.outcome = outcome ? *outcome : outcome.error();
            each.canRestore = fileOf(client).canRestore();
        }
    m_window.setSetup(m_texts);
}

} // namespace headway::app
