// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/inputrules.h"

#include <QRegularExpression>

namespace headway::simulator {

namespace {

constexpr qsizetype maxName = 64;
constexpr qsizetype maxCallId = 64;
constexpr qsizetype maxText = 10'485'760;

using Checked = std::optional<ApiError>;

bool listed(const QString &word, const char *list)
{
    return QByteArray(list).split(' ').contains(word.toUtf8());
}

ApiError invalidValue(const QString &value, const char *supported, const QByteArray &path)
{
    return badRequest("Invalid value: '" + value.toUtf8() + "'. Supported values are: "
                          + QByteArray(supported).replace(' ', ", ") + '.',
                      path, "invalid_value");
}

ApiError invalidType(const char *expected, const QByteArray &path)
{
    return badRequest("Invalid type for '" + path + "': expected " + expected + '.', path,
                      "invalid_type");
}

// One content part. `types` lists what this place allows.
Checked checkPart(const QJsonValue &value, const char *types, const QByteArray &path)
{
    if (!value.isObject())
        return invalidType("an object", path);
    const QJsonObject part = value.toObject();
    const QString type = part.value(QLatin1String("type")).toString();
    if (!listed(type, types))
        return invalidValue(type, types, path + ".type");
    if (type == QLatin1String("input_image")) {
        const QString detail = part.value(QLatin1String("detail")).toString(QStringLiteral("auto"));
        if (!listed(detail, "auto low high original"))
            return invalidValue(detail, "auto low high original", path + ".detail");
        if (!part.contains(QLatin1String("image_url")) && !part.contains(QLatin1String("file_id")))
            return badRequest("Missing required parameter: '" + path + ".image_url'.", path,
                              "missing_required_parameter");
        return checkKeys(part, "type image_url file_id detail prompt_cache_breakpoint", path);
    }
    if (type == QLatin1String("input_file"))
        return checkKeys(
            part, "type file_data file_id file_url filename detail prompt_cache_breakpoint", path);
    const QString key
        = type == QLatin1String("refusal") ? QStringLiteral("refusal") : QStringLiteral("text");
    if (!part.value(key).isString())
        return invalidType("a string", path + '.' + key.toUtf8());
    if (part.value(key).toString().size() > maxText)
        return badRequest("Invalid '" + path + '.' + key.toUtf8() + "': string too long.", path,
                          "string_above_max_length");
    return checkKeys(part, "type text refusal annotations logprobs prompt_cache_breakpoint", path);
}

Checked checkParts(const QJsonValue &content, const char *types, const QByteArray &path)
{
    if (content.isString())
        return std::nullopt;
    if (!content.isArray())
        return invalidType("a string or an array", path);
    const QJsonArray parts = content.toArray();
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (auto error = checkPart(parts.at(i), types, path + '[' + QByteArray::number(i) + ']'))
            return error;
    }
    return std::nullopt;
}

Checked checkMessage(const QJsonObject &item, const QByteArray &path)
{
    const QString role = item.value(QLatin1String("role")).toString();
    if (!listed(role, "user assistant system developer"))
        return invalidValue(role, "user assistant system developer", path + ".role");
    const bool assistant = role == QLatin1String("assistant");
    return checkParts(item.value(QLatin1String("content")),
                      assistant ? "output_text refusal" : "input_text input_image input_file",
                      path + ".content");
}

Checked checkCallId(const QJsonObject &item, const QByteArray &path)
{
    const QJsonValue id = item.value(QLatin1String("call_id"));
    if (!id.isString() || id.toString().isEmpty())
        return badRequest("Missing required parameter: '" + path + ".call_id'.", path + ".call_id",
                          "missing_required_parameter");
    if (id.toString().size() > maxCallId)
        return badRequest("Invalid '" + path
                              + ".call_id': string too long. Expected a string with maximum length "
                                "64.",
                          path + ".call_id", "string_above_max_length");
    return std::nullopt;
}

Checked checkReasoning(const QJsonObject &item, const Mint &mint)
{
    const QString content = item.value(QLatin1String("encrypted_content")).toString();
    if (mint.isOurs(content))
        return std::nullopt;
    return badRequest("The encrypted content " + content.left(12).toUtf8()
                          + "... could not be verified. Reason: Encrypted content could not be "
                            "decrypted or parsed.",
                      {}, "invalid_encrypted_content");
}

Checked checkCall(const QJsonObject &item, const char *payload, const QByteArray &path)
{
    if (auto error = checkCallId(item, path))
        return error;
    if (auto error = checkName(item.value(QLatin1String("name")), path + ".name"))
        return error;
    if (!item.value(QLatin1String(payload)).isString())
        return invalidType("a string", path + '.' + payload);
    return std::nullopt;
}

Checked checkOutput(const QJsonObject &item, const QByteArray &path)
{
    if (auto error = checkCallId(item, path))
        return error;
    return checkParts(item.value(QLatin1String("output")), "input_text input_image input_file",
                      path + ".output");
}

} // namespace

Checked checkKeys(const QJsonObject &object, const char *known, const QByteArray &path)
{
    const QByteArrayList names = QByteArray(known).split(' ');
    for (auto it = object.constBegin(); it != object.constEnd(); ++it) {
        const QByteArray key = it.key().toUtf8();
        // Codex keeps notes of its own beside an item; its backend lets them pass.
        if (names.contains(key) || key.startsWith("internal_"))
            continue;
        const QByteArray full = path.isEmpty() ? key : path + '.' + key;
        return badRequest("Unknown parameter: '" + full + "'.", full, "unknown_parameter");
    }
    return std::nullopt;
}

Checked checkName(const QJsonValue &name, const QByteArray &path)
{
    static const QRegularExpression pattern(QStringLiteral("^[A-Za-z0-9_-]+$"));
    const QString text = name.toString();
    if (text.isEmpty())
        return badRequest("Missing required parameter: '" + path + "'.", path,
                          "missing_required_parameter");
    if (text.size() > maxName)
        return badRequest("Invalid '" + path
                              + "': string too long. Expected a string with maximum length 64, but "
                                "got a string with length "
                              + QByteArray::number(text.size()) + " instead.",
                          path, "string_above_max_length");
    if (!pattern.match(text).hasMatch())
        return badRequest("Invalid '" + path
                              + "': string does not match pattern. Expected a string that matches "
                                "the pattern '^[a-zA-Z0-9_-]+$'.",
                          path, "invalid_value");
    return std::nullopt;
}

Checked checkItem(const QJsonObject &item, const QString &type, const QByteArray &path,
                  const Mint &mint)
{
    Checked error;
    const char *keys = nullptr;
    if (type == QLatin1String("message")) {
        error = checkMessage(item, path);
        keys = "type id role content status phase";
    } else if (type == QLatin1String("function_call")) {
        error = checkCall(item, "arguments", path);
        keys = "type id call_id name arguments namespace status caller async";
    } else if (type == QLatin1String("custom_tool_call")) {
        error = checkCall(item, "input", path);
        keys = "type id call_id name input namespace status caller";
    } else if (type == QLatin1String("function_call_output")
               || type == QLatin1String("custom_tool_call_output"))
    {
        error = checkOutput(item, path);
        keys = "type id call_id output status name namespace caller";
    } else if (type == QLatin1String("reasoning")) {
        error = checkReasoning(item, mint);
        keys = "type id summary content encrypted_content status";
    } else if (type == QLatin1String("item_reference")) {
        error
            = badRequest("Item with id '" + item.value(QLatin1String("id")).toString().toUtf8()
                             + "' not found. Items are not persisted when `store` is set to false.",
                         path);
        error->status = 404;
    } else if (!listed(type,
                       "additional_tools web_search_call compaction compaction_trigger "
                       "file_search_call computer_call computer_call_output code_interpreter_call "
                       "image_generation_call local_shell_call local_shell_call_output shell_call "
                       "shell_call_output apply_patch_call apply_patch_call_output mcp_list_tools "
                       "mcp_approval_request mcp_approval_response mcp_call tool_search_call "
                       "tool_search_output program program_output configuration_update"))
    {
        error = invalidValue(type, "message function_call function_call_output reasoning …",
                             path + ".type");
    }
    if (!error && keys)
        error = checkKeys(item, keys, path);
    return error;
}

} // namespace headway::simulator
