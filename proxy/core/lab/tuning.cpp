// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/tuning.h"

#include <optional>
#include <string_view>

namespace headway::lab {

namespace {

using settings::Key;

// As it would stand in the settings file; nothing for a value of another type than the setting's.
std::optional<std::string> settingText(json::Value value, settings::Kind kind)
{
    switch (kind) {
    case settings::Kind::Integer:
        if (value.kind() == json::Kind::Number)
            return std::string(value.raw());
        break;
    case settings::Kind::Flag:
        if (value.boolean())
            return std::string(value.raw());
        break;
    case settings::Kind::Choice:
    case settings::Kind::Text:
    case settings::Kind::Secret:
        if (value.isString())
            return value.text();
        break;
    }
    return std::nullopt;
}

std::string_view expectation(settings::Kind kind)
{
    switch (kind) {
    case settings::Kind::Integer:
        return "expected a whole number";
    case settings::Kind::Flag:
        return "expected true or false";
    case settings::Kind::Choice:
    case settings::Kind::Text:
    case settings::Kind::Secret:
        break;
    }
    return "expected a text";
}

} // namespace

void readSettings(json::Value object, const std::string &path, settings::Source source,
                  settings::Settings &settings, std::vector<std::string> &notices, Problem &problem)
{
    if (!object.exists())
        return;
    if (!object.isObject())
        return problem.report(object.offset(), path, "expected an object of settings");
    for (const json::Value member : object) {
        const std::string keyName = member.key();
        const std::string keyPath = path + '.' + keyName;
        const auto key = settings::find(keyName);
        if (!key)
            return problem.report(member.offset(), keyPath, "there is no such setting");
        const settings::Kind kind = settings::row(*key).kind;
        const auto text = settingText(member, kind);
        if (!text)
            return problem.report(member.offset(), keyPath, std::string(expectation(kind)));
        const auto outcome = settings.set(source, *key, *text);
        if (!outcome.accepted) {
            return problem.report(member.offset(), keyPath,
                                  outcome.notice ? outcome.notice->text : "is malformed");
        }
        if (outcome.notice)
            notices.push_back(outcome.notice->text);
    }
}

} // namespace headway::lab
