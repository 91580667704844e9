// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace headway::simulator {

// A tool of a request that a simulated model may call.
struct CallableTool
{
    enum class Kind { Function, Custom, LocalShell };

    Kind kind = Kind::Function;
    QString name;
    QString nameSpace; // empty: none
    QJsonObject parameters; // Function
};

// The first of `names` that is among `tools`, namespaces included.
[[nodiscard]] std::optional<CallableTool> findTool(const QJsonArray &tools,
                                                   const QStringList &names);

// A tool that runs a command, by the names real agents use, else one whose schema asks for a
// command, else any function.
[[nodiscard]] std::optional<CallableTool> findShellTool(const QJsonArray &tools);

// The tool that starts a sub-agent (Claude Code: Agent or Task; Codex: spawn_agent).
[[nodiscard]] std::optional<CallableTool> findAgentTool(const QJsonArray &tools);

// The smallest object that satisfies `schema`: every required property, strings by their name
// ("command" and "cmd" get `command`, as words where an array is asked for).
[[nodiscard]] QJsonObject sampleObject(const QJsonObject &schema, const QString &command);

} // namespace headway::simulator
