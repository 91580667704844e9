// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/toolbox.h"

#include <vector>

namespace headway::simulator {

namespace {

constexpr int maxDepth = 16;

void collect(const QJsonArray &tools, const QString &nameSpace, std::vector<CallableTool> &found)
{
    for (const QJsonValue &value : tools) {
        const QJsonObject tool = value.toObject();
        const QString type = tool.value(QLatin1String("type")).toString();
        const QString name = tool.value(QLatin1String("name")).toString();
        CallableTool callable{.name = name, .nameSpace = nameSpace, .parameters = {}};
        if (type == QLatin1String("namespace")) {
            if (nameSpace.isEmpty())
                collect(tool.value(QLatin1String("tools")).toArray(), name, found);
            continue;
        }
        if (type == QLatin1String("function")) {
            callable.parameters = tool.value(QLatin1String("parameters")).toObject();
        } else if (type == QLatin1String("custom")) {
            callable.kind = CallableTool::Kind::Custom;
        } else if (type == QLatin1String("local_shell")) {
            callable.kind = CallableTool::Kind::LocalShell;
            callable.name = type;
        } else {
            continue;
        }
        found.push_back(callable);
    }
}

bool asksForACommand(const CallableTool &tool)
{
    const QJsonObject properties = tool.parameters.value(QLatin1String("properties")).toObject();
    return properties.contains(QLatin1String("command"))
        || properties.contains(QLatin1String("cmd"));
}

QJsonValue sampleValue(const QString &name, const QJsonObject &schema, const QString &command,
                       int depth);

QJsonObject sampleAt(const QJsonObject &schema, const QString &command, int depth)
{
    QJsonObject sample;
    const QJsonObject properties = schema.value(QLatin1String("properties")).toObject();
    for (const QJsonValue &required : schema.value(QLatin1String("required")).toArray()) {
        const QString name = required.toString();
        sample.insert(name, sampleValue(name, properties.value(name).toObject(), command, depth));
    }
    return sample;
}

QString typeOf(const QJsonObject &schema)
{
    const QJsonValue type = schema.value(QLatin1String("type"));
    return type.isArray() ? type.toArray().at(0).toString() : type.toString();
}

QJsonArray sampleArray(const QString &name, const QJsonObject &schema, const QString &command,
                       int depth)
{
    if (name == QLatin1String("command") || name == QLatin1String("cmd"))
        return {QStringLiteral("bash"), QStringLiteral("-lc"), command};
    if (schema.value(QLatin1String("minItems")).toInt() < 1)
        return {};
    return {sampleValue(name, schema.value(QLatin1String("items")).toObject(), command, depth + 1)};
}

QJsonValue sampleValue(const QString &name, const QJsonObject &schema, const QString &command,
                       int depth)
{
    const QString type = typeOf(schema);
    const QJsonArray choices = schema.value(QLatin1String("enum")).toArray();
    if (!choices.isEmpty())
        return choices.at(0);
    if (schema.contains(QLatin1String("const")))
        return schema.value(QLatin1String("const"));
    if (type == QLatin1String("integer") || type == QLatin1String("number"))
        return schema.value(QLatin1String("minimum")).toDouble(1);
    if (type == QLatin1String("boolean"))
        return false;
    if (type == QLatin1String("null"))
        return QJsonValue::Null;
    if (type == QLatin1String("array"))
        return sampleArray(name, schema, command, depth);
    if (type == QLatin1String("object"))
        return depth < maxDepth ? sampleAt(schema, command, depth + 1) : QJsonObject();
    if (name == QLatin1String("command") || name == QLatin1String("cmd"))
        return command;
    if (name.endsWith(QLatin1String("path")))
        return QStringLiteral("/etc/hostname");
    return QString(QStringLiteral("simulated ") + name);
}

} // namespace

std::optional<CallableTool> findTool(const QJsonArray &tools, const QStringList &names)
{
    std::vector<CallableTool> callables;
    collect(tools, {}, callables);
    for (const QString &name : names) {
        for (const CallableTool &tool : callables) {
            if (tool.name == name)
                return tool;
        }
    }
    return std::nullopt;
}

std::optional<CallableTool> findShellTool(const QJsonArray &tools)
{
    static const QStringList names{
        QStringLiteral("Bash"),          QStringLiteral("exec_command"),
        QStringLiteral("shell_command"), QStringLiteral("shell"),
        QStringLiteral("local_shell"),   QStringLiteral("bash"),
        QStringLiteral("run_command"),   QStringLiteral("exec"),
    };
    if (auto tool = findTool(tools, names))
        return tool;
    std::vector<CallableTool> callables;
    collect(tools, {}, callables);
    std::optional<CallableTool> any;
    for (const CallableTool &tool : callables) {
        if (asksForACommand(tool))
            return tool;
        if (!any && tool.kind == CallableTool::Kind::Function)
            any = tool;
    }
    return any;
}

std::optional<CallableTool> findAgentTool(const QJsonArray &tools)
{
    static const QStringList names{QStringLiteral("Agent"), QStringLiteral("Task"),
                                   QStringLiteral("spawn_agent")};
    return findTool(tools, names);
}

QJsonObject sampleObject(const QJsonObject &schema, const QString &command)
{
    return sampleAt(schema, command, 0);
}

} // namespace headway::simulator
