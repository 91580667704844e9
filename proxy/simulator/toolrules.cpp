// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/toolrules.h"

#include "proxy/simulator/inputrules.h"

namespace headway::simulator {

namespace {

using Checked = std::optional<ApiError>;

struct SchemaPlace
{
    QByteArray owner; // "function 'Bash'"
    QByteArray path; // "tools[0].parameters"
    QByteArray code; // "invalid_function_parameters"
    bool strict = false;
};

ApiError badSchema(const SchemaPlace &place, const QByteArray &why)
{
    return badRequest("Invalid schema for " + place.owner + ": " + why, place.path, place.code);
}

Checked checkRequired(const QJsonObject &schema, const SchemaPlace &place)
{
    const QJsonValue required = schema.value(QLatin1String("required"));
    if (!required.isUndefined() && !required.isArray())
        return badSchema(place,
                         required.isNull() ? "None is not of type 'array'."
                                           : "'required' is not of type 'array'.");
    if (!place.strict || schema.value(QLatin1String("type")).toString() != QLatin1String("object"))
        return std::nullopt;
    if (schema.value(QLatin1String("additionalProperties")) != QJsonValue(false))
        return badSchema(place,
                         "'additionalProperties' is required to be supplied and to be false.");
    const QStringList properties = schema.value(QLatin1String("properties")).toObject().keys();
    for (const QString &name : properties) {
        if (!required.toArray().contains(name))
            return badSchema(place,
                             "'required' is required to be supplied and to be an array including "
                             "every key in properties. Missing '"
                                 + name.toUtf8() + "'.");
    }
    return std::nullopt;
}

Checked checkSchema(const QJsonValue &value, const SchemaPlace &place)
{
    if (value.isBool() || value.isUndefined())
        return std::nullopt;
    if (!value.isObject())
        return badSchema(place, "a schema must be an object.");
    const QJsonObject schema = value.toObject();
    if (auto error = checkRequired(schema, place))
        return error;
    for (const char *key : {"properties", "$defs", "definitions"}) {
        const QJsonValue group = schema.value(QLatin1String(key));
        if (!group.isUndefined() && !group.isObject())
            return badSchema(place, '\'' + QByteArray(key) + "' is not of type 'object'.");
        const QJsonObject members = group.toObject();
        for (auto it = members.constBegin(); it != members.constEnd(); ++it) {
            if (auto error = checkSchema(it.value(), place))
                return error;
        }
    }
    for (const char *key : {"anyOf", "oneOf", "allOf"}) {
        for (const QJsonValue &member : schema.value(QLatin1String(key)).toArray()) {
            if (auto error = checkSchema(member, place))
                return error;
        }
    }
    const QJsonValue items = schema.value(QLatin1String("items"));
    return items.isArray() ? Checked{} : checkSchema(items, place);
}

Checked checkParameters(const QJsonValue &value, const SchemaPlace &place)
{
    if (value.isNull() || value.isUndefined())
        return std::nullopt;
    if (!value.isObject())
        return badRequest("Invalid type for '" + place.path + "': expected an object.", place.path,
                          "invalid_type");
    const QJsonObject schema = value.toObject();
    const QJsonValue type = schema.value(QLatin1String("type"));
    if (type.toString() != QLatin1String("object"))
        return badSchema(place,
                         "schema must be a JSON Schema of 'type: \"object\"', got 'type: \""
                             + (type.isString() ? type.toString().toUtf8() : "None") + "\"'.");
    for (const char *key : {"anyOf", "oneOf", "allOf", "enum", "not"}) {
        if (schema.contains(QLatin1String(key)))
            return badSchema(place,
                             "schema must have type 'object' and not have "
                             "'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.");
    }
    if (!schema.value(QLatin1String("properties")).isObject())
        return badSchema(place, "In context=(), object schema missing properties.");
    return checkSchema(value, place);
}

Checked checkFunction(const QJsonObject &tool, const QByteArray &path)
{
    if (auto error = checkName(tool.value(QLatin1String("name")), path + ".name"))
        return error;
    if (auto error = checkKeys(tool,
                               "type name description parameters strict defer_loading "
                               "allowed_callers output_schema async",
                               path))
        return error;
    return checkParameters(
        tool.value(QLatin1String("parameters")),
        {.owner = "function '" + tool.value(QLatin1String("name")).toString().toUtf8() + '\'',
         .path = path + ".parameters",
         .code = "invalid_function_parameters",
         .strict = tool.value(QLatin1String("strict")).toBool()});
}

bool isHosted(const QString &type)
{
    static const QByteArrayList types
        = QByteArray("web_search web_search_2025_08_26 web_search_preview tool_search mcp "
                     "file_search code_interpreter image_generation shell local_shell apply_patch "
                     "computer computer_use_preview programmatic_tool_calling")
              .split(' ');
    return types.contains(type.toUtf8());
}

Checked checkTool(const QJsonObject &tool, const QByteArray &path)
{
    const QString type = tool.value(QLatin1String("type")).toString();
    if (type == QLatin1String("function"))
        return checkFunction(tool, path);
    if (type == QLatin1String("custom"))
        return checkName(tool.value(QLatin1String("name")), path + ".name");
    if (type == QLatin1String("namespace")) {
        if (auto error = checkName(tool.value(QLatin1String("name")), path + ".name"))
            return error;
        return checkTools(tool.value(QLatin1String("tools")).toArray());
    }
    if (isHosted(type))
        return std::nullopt;
    return badRequest("Invalid value: '" + type.toUtf8()
                          + "'. Supported values are: 'function', 'custom', 'namespace', …",
                      path + ".type", "invalid_value");
}

} // namespace

Checked checkTools(const QJsonArray &tools)
{
    QSet<QString> names;
    for (qsizetype i = 0; i < tools.size(); ++i) {
        const QByteArray path = "tools[" + QByteArray::number(i) + ']';
        const QJsonObject tool = tools.at(i).toObject();
        if (auto error = checkTool(tool, path))
            return error;
        const QString name = tool.value(QLatin1String("name")).toString();
        if (!name.isEmpty() && names.contains(name))
            return badRequest("Tool names must be unique: '" + name.toUtf8() + "' appears twice.",
                              path + ".name", "invalid_value");
        names.insert(name);
    }
    return std::nullopt;
}

Checked checkToolChoice(const QJsonValue &choice, const QJsonArray &tools)
{
    if (choice.isUndefined() || choice.isNull())
        return std::nullopt;
    if (choice.isString()) {
        static const QStringList words{QStringLiteral("none"), QStringLiteral("auto"),
                                       QStringLiteral("required")};
        if (words.contains(choice.toString()))
            return std::nullopt;
        return badRequest("Invalid value: '" + choice.toString().toUtf8()
                              + "'. Supported values are: 'none', 'auto', and 'required'.",
                          "tool_choice", "invalid_value");
    }
    const QJsonObject object = choice.toObject();
    const QString type = object.value(QLatin1String("type")).toString();
    if (type != QLatin1String("function") && type != QLatin1String("custom"))
        return std::nullopt;
    const QJsonValue name = object.value(QLatin1String("name"));
    for (const QJsonValue &tool : tools) {
        if (tool.toObject().value(QLatin1String("name")) == name)
            return std::nullopt;
    }
    return badRequest("Tool choice '" + type.toUtf8() + "' not found in 'tools' parameter.",
                      "tool_choice", "invalid_value");
}

Checked checkTextFormat(const QJsonObject &text)
{
    const QJsonObject format = text.value(QLatin1String("format")).toObject();
    const QString type = format.value(QLatin1String("type")).toString(QStringLiteral("text"));
    if (type == QLatin1String("text") || type == QLatin1String("json_object"))
        return std::nullopt;
    if (type != QLatin1String("json_schema"))
        return badRequest("Invalid value: '" + type.toUtf8()
                              + "'. Supported values are: 'text', 'json_object' and 'json_schema'.",
                          "text.format.type", "invalid_value");
    if (auto error = checkName(format.value(QLatin1String("name")), "text.format.name"))
        return error;
    if (!format.value(QLatin1String("schema")).isObject())
        return badRequest("Missing required parameter: 'text.format.schema'.", "text.format.schema",
                          "missing_required_parameter");
    return checkSchema(format.value(QLatin1String("schema")),
                       {.owner = "response_format '"
                            + format.value(QLatin1String("name")).toString().toUtf8() + '\'',
                        .path = "text.format.schema",
                        .code = "invalid_json_schema",
                        .strict = format.value(QLatin1String("strict")).toBool()});
}

} // namespace headway::simulator
