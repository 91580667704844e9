// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/jsonschema.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace headway::tests {

namespace {

bool isOfType(const QJsonValue &value, const QString &type)
{
    if (type == QLatin1String("null"))
        return value.isNull();
    if (type == QLatin1String("string"))
        return value.isString();
    if (type == QLatin1String("boolean"))
        return value.isBool();
    if (type == QLatin1String("object"))
        return value.isObject();
    if (type == QLatin1String("array"))
        return value.isArray();
    if (type == QLatin1String("number"))
        return value.isDouble();
    if (type == QLatin1String("integer"))
        return value.isDouble() && std::floor(value.toDouble()) == value.toDouble();
    qFatal("unknown type %s", qPrintable(type));
}

bool isOfTypes(const QJsonValue &value, const QJsonValue &rule)
{
    const QJsonArray types = rule.isArray() ? rule.toArray() : QJsonArray{rule};
    return std::any_of(types.begin(), types.end(), [&value](const QJsonValue &type) {
        return isOfType(value, type.toString());
    });
}

bool matches(const QJsonValue &value, const QJsonValue &rule)
{
    return !value.isString()
        || QRegularExpression(rule.toString()).match(value.toString()).hasMatch();
}

// Keywords that stand for themselves or are looked at together.
bool isPassedOver(const QString &keyword)
{
    static const QStringList all{QStringLiteral("$schema"),
                                 QStringLiteral("$defs"),
                                 QStringLiteral("title"),
                                 QStringLiteral("description"),
                                 QStringLiteral("properties"),
                                 QStringLiteral("required"),
                                 QStringLiteral("additionalProperties")};
    return all.contains(keyword);
}

} // namespace

JsonSchema::JsonSchema(const QByteArray &text)
{
    QJsonParseError error{};
    m_root = QJsonDocument::fromJson(text, &error).object();
    if (error.error != QJsonParseError::NoError)
        qFatal("the schema is no JSON: %s", qPrintable(error.errorString()));
}

QStringList JsonSchema::violations(const QByteArray &text) const
{
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError)
        return {error.errorString()};
    const QJsonValue value
        = document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
    return check(m_root, value, QString());
}

QStringList JsonSchema::check(const QJsonObject &rules, const QJsonValue &value,
                              const QString &at) const
{
    QStringList found;
    for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
        if (!isPassedOver(rule.key()))
            found += checkKeyword(rule.key(), rule.value(), value, at);
    }
    if (value.isObject())
        found += checkProperties(rules, value.toObject(), at);
    return found;
}

QStringList JsonSchema::checkKeyword(const QString &keyword, const QJsonValue &rule,
                                     const QJsonValue &value, const QString &at) const
{
    const auto unless = [&at](bool holds, const char *words) {
        return holds ? QStringList() : QStringList{at + QLatin1String(words)};
    };
    if (keyword == QLatin1String("$ref"))
        return check(referred(rule.toString()), value, at);
    if (keyword == QLatin1String("oneOf"))
        return checkOneOf(rule.toArray(), value, at);
    if (keyword == QLatin1String("const"))
        return unless(value == rule, " is another value");
    if (keyword == QLatin1String("enum"))
        return unless(rule.toArray().contains(value), " is none of the words");
    if (keyword == QLatin1String("type"))
        return unless(isOfTypes(value, rule), " is of the wrong type");
    if (keyword == QLatin1String("pattern"))
        return unless(matches(value, rule), " does not match");
    if (keyword == QLatin1String("minimum"))
        return unless(!value.isDouble() || value.toDouble() >= rule.toDouble(), " is too small");
    if (keyword == QLatin1String("maximum"))
        return unless(!value.isDouble() || value.toDouble() <= rule.toDouble(), " is too large");
    qFatal("the schema's keyword %s is not known here", qPrintable(keyword));
}

QStringList JsonSchema::checkProperties(const QJsonObject &rule, const QJsonObject &value,
                                        const QString &at) const
{
    QStringList found;
    const QJsonObject known = rule.value(QLatin1String("properties")).toObject();
    const bool isClosed = rule.value(QLatin1String("additionalProperties")) == QJsonValue(false);
    for (auto each = value.begin(); each != value.end(); ++each) {
        const QString place = at + u'/' + each.key();
        if (known.contains(each.key()))
            found += check(known.value(each.key()).toObject(), each.value(), place);
        else if (isClosed)
            found += place + QStringLiteral(" is not known");
    }
    for (const QJsonValue &name : rule.value(QLatin1String("required")).toArray()) {
        if (!value.contains(name.toString()))
            found += at + u'/' + name.toString() + QStringLiteral(" is missing");
    }
    return found;
}

QStringList JsonSchema::checkOneOf(const QJsonArray &rules, const QJsonValue &value,
                                   const QString &at) const
{
    int valid = 0;
    QStringList nearest; // says best what is wrong
    for (const QJsonValue &rule : rules) {
        const QStringList wrong = check(rule.toObject(), value, at);
        valid += wrong.isEmpty() ? 1 : 0;
        if (nearest.isEmpty() || wrong.size() < nearest.size())
            nearest = wrong;
    }
    if (valid == 1)
        return {};
    return valid > 1 ? QStringList{at + QStringLiteral(" is valid more than once")} : nearest;
}

QJsonObject JsonSchema::referred(const QString &reference) const
{
    const QString prefix = QStringLiteral("#/$defs/");
    const QJsonObject all = m_root.value(QLatin1String("$defs")).toObject();
    const QString name = reference.mid(prefix.size());
    if (!reference.startsWith(prefix) || !all.contains(name))
        qFatal("the schema refers to %s", qPrintable(reference));
    return all.value(name).toObject();
}

} // namespace headway::tests
