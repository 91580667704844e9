// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setupdesk.h"

#include "ui/panels/statusstrip.h"

#include <QClipboard>
#include <QGuiApplication>

namespace headway::ui {

SetupDesk::SetupDesk(StatusStrip *status, QObject *parent)
    : QObject(parent)
    , m_status(status)
{
}

void SetupDesk::setListening(const QString &address)
{
    if (m_listening == address)
        return;
    m_listening = address;
    sayHint();
}

void SetupDesk::setElsewhere(const QString &address)
{
    if (m_elsewhere == address)
        return;
    m_elsewhere = address;
    sayHint();
}

void SetupDesk::sayHint()
{
    if (!m_elsewhere.isEmpty())
        Q_EMIT hintChanged(tr("The turns of the clients at %1 appear here.").arg(m_elsewhere));
    else if (m_listening.isEmpty())
        Q_EMIT hintChanged(tr("The proxy is not listening yet."));
    else
        Q_EMIT hintChanged(tr("Set ANTHROPIC_BASE_URL=http://%1 for Claude Code; the lines for "
                              "Codex and curl are under Setup (Ctrl+5).")
                               .arg(m_listening));
}

void SetupDesk::copyFirst()
{
    if (!m_texts.clients.empty())
        copy(m_texts.clients.front().text);
    else
        copy(QStringLiteral("export ANTHROPIC_BASE_URL=http://%1\n").arg(m_listening));
}

void SetupDesk::copy(const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
    m_status->showMessage(true, tr("Copied. Paste it into the shell that starts the client."));
}

} // namespace headway::ui
