// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QRegularExpression>
#include <QSet>
#include <QString>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <vector>

// spec/heads.md section 3 written down a second time, from its words and on Qt's JSON: slow, and
// without anything of what it judges. Items are compared one by one, and every way of leaving
// reasoning out is tried.
namespace exhaustive {

// name → parameter schema (type, default, required only).
using Tools = std::map<QString, QJsonObject>;

inline QJsonValue retyped(const QJsonValue &value, const QJsonObject &schema)
{
    if (!value.isString())
        return value;
    const QString text = value.toString().trimmed();
    const QString type = schema.value(QLatin1String("type")).toString();
    if (type == QLatin1String("boolean")) {
        if (text == QLatin1String("true") || text == QLatin1String("false"))
            return text == QLatin1String("true");
        return value;
    }
    if (type != QLatin1String("number") && type != QLatin1String("integer"))
        return value;
    static const QRegularExpression decimal(QStringLiteral("^[-+]?([0-9]+)(\\.([0-9]+))?$"));
    const auto match = decimal.match(text);
    if (!match.hasMatch() || match.captured(1).size() + match.captured(3).size() > 15)
        return value;
    const double number = text.toDouble();
    if (type == QLatin1String("integer") && std::floor(number) != number)
        return value;
    return number;
}

// "properties equal to the schema default are dropped; a string spelling of a declared number or
// boolean equals that scalar; null-valued and empty-array properties that are not required are
// dropped".
inline QJsonObject normalised(const QJsonObject &arguments, const QJsonObject &schema)
{
    const QJsonObject properties = schema.value(QLatin1String("properties")).toObject();
    const QJsonArray required = schema.value(QLatin1String("required")).toArray();
    QJsonObject kept;
    for (auto it = arguments.begin(); it != arguments.end(); ++it) {
        const QJsonObject declared = properties.value(it.key()).toObject();
        const QJsonValue value = retyped(it.value(), declared);
        const bool filler = value.isNull() || (value.isArray() && value.toArray().isEmpty());
        if (filler && !required.contains(it.key()))
            continue;
        const QJsonValue fallback = declared.value(QLatin1String("default"));
        if (!fallback.isUndefined() && fallback == value)
            continue;
        kept.insert(it.key(), value);
    }
    return kept;
}

struct Item
{
    QJsonObject value;

    bool isReasoning() const
    {
        return value.value(QLatin1String("type")).toString() == QLatin1String("reasoning");
    }

    // Said by the assistant, without a word.
    bool isSilent() const
    {
        return value.value(QLatin1String("role")).toString() == QLatin1String("assistant")
            && value.value(QLatin1String("content")).toArray().isEmpty()
            && value.value(QLatin1String("content")).toString().isEmpty();
    }

    // The model's own: a client may leave it out.
    bool isOptional() const
    {
        const QString type = value.value(QLatin1String("type")).toString();
        return isReasoning() || type == QLatin1String("web_search_call") || isSilent();
    }

    // Two items are the same exactly when these texts are.
    QByteArray canonical(const Tools &tools) const
    {
        QJsonObject out = value;
        const QString type = value.value(QLatin1String("type")).toString();
        for (const char *server : {"id", "status"})
            out.remove(QLatin1String(server));
        if (type == QLatin1String("reasoning"))
            out = {{QStringLiteral("reasoning"), value.value(QLatin1String("encrypted_content"))}};
        if (type == QLatin1String("web_search_call")) {
            QJsonObject action = value.value(QLatin1String("action")).toObject();
            action.remove(QLatin1String("sources"));
            out[QLatin1String("action")] = action;
        }
        if (type == QLatin1String("function_call")) {
            const auto text = value.value(QLatin1String("arguments")).toString().toUtf8();
            const QJsonDocument parsed = QJsonDocument::fromJson(text);
            if (parsed.isObject())
                out[QLatin1String("arguments")]
                    = normalised(parsed.object(),
                                 tools.count(value.value(QLatin1String("name")).toString()) != 0
                                     ? tools.at(value.value(QLatin1String("name")).toString())
                                     : QJsonObject{});
        }
        return QJsonDocument(out).toJson(QJsonDocument::Compact);
    }
};

using Items = std::vector<std::shared_ptr<const Item>>;

struct Match
{
    std::size_t length = 0; // of the request
    bool exact = false;
};

// Texts under one set of tools, each computed once.
class Texts
{
public:
    explicit Texts(const Tools &tools)
        : m_tools(tools)
    {
    }

    const QByteArray &of(const std::shared_ptr<const Item> &item)
    {
        const auto [at, isNew] = m_texts.try_emplace(item);
        if (isNew)
            at->second = item->canonical(m_tools);
        return at->second;
    }

private:
    const Tools &m_tools;
    std::map<std::shared_ptr<const Item>, QByteArray> m_texts;
};

struct Search
{
    const Items &stored;
    const Items &request;
    Texts &texts;
    std::optional<Match> best;

    // `omittedLast`: a stored optional item was left out since the last item that is none.
    void from(std::size_t ours, std::size_t theirs, bool omitted, bool omittedLast)
    {
        if (ours == stored.size()) {
            if (theirs >= request.size())
                return; // not strict
            // "one that is present must match"
            if (omittedLast && request[theirs]->isOptional())
                return;
            if (!best || theirs > best->length || (theirs == best->length && !omitted))
                best = Match{theirs, !omitted};
            return;
        }
        const bool optional = stored[ours]->isOptional();
        if (theirs < request.size() && texts.of(stored[ours]) == texts.of(request[theirs]))
            from(ours + 1, theirs + 1, omitted, optional && omittedLast);
        if (optional)
            from(ours + 1, theirs, omitted || stored[ours]->isReasoning(), true);
    }
};

inline std::optional<Match> match(const Items &stored, const Items &request, Texts &texts)
{
    if (stored.empty())
        return std::nullopt;
    Search search{stored, request, texts, std::nullopt};
    search.from(0, 0, false, false);
    return search.best;
}

} // namespace exhaustive
