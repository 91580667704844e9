// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clientconfig.h"

#include "app/tomlstatements.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace headway::app {

namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

struct Edit
{
    std::size_t at = 0;
    std::size_t length = 0; // of what goes
    std::string text; // that comes instead
};

std::string edited(std::string_view text, std::vector<Edit> edits)
{
    std::string result(text);
    std::ranges::stable_sort(edits, std::greater{}, &Edit::at);
    for (const Edit &edit : edits)
        result.replace(edit.at, edit.length, edit.text);
    return result;
}

bool isEmpty(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string member(const QString &name, const QString &value)
{
    return json::literal(name.toStdString()) + ": " + json::literal(value.toStdString());
}

// `object`: what stands between its braces comes first, so that its own last line stays as it is.
Edit insertion(const json::Value &object, const std::vector<std::string> &members,
               const std::string &indent, bool hasMore)
{
    std::string text;
    for (const std::string &each : members)
        text += (text.empty() ? "\n" : ",\n") + indent + each;
    text += hasMore ? "," : "\n" + indent.substr(2);
    return {object.offset() + 1, 0, std::move(text)};
}

// Of what an earlier write of ours put there for a client without a login of its own. The key is
// ours by its word. A model is ours beside that key only, and only if it is what we would write;
// any other is the person's choice.
bool isLeftover(const json::Value &env, const json::Value &each, const ClientSetupFacts &facts)
{
    if (!facts.passThrough || !env["ANTHROPIC_API_KEY"].is("headway"))
        return false;
    ClientSetupFacts earlier = facts;
    earlier.passThrough = false;
    for (const auto &[name, value] : claudeVariables(earlier))
        if (name != QLatin1String("ANTHROPIC_BASE_URL") && each.keyIs(name.toStdString())
            && each.is(value.toStdString()))
            return true;
    return false;
}

// What has to go from `env`, each with one comma; how many members stay.
std::size_t removeLeftovers(std::string_view settings, const json::Value &env,
                            const ClientSetupFacts &facts, std::vector<Edit> &edits)
{
    const auto keyAt = [&](const json::Value &each) {
        return static_cast<std::size_t>(each.keyBody().data() - settings.data()) - 1;
    };
    std::size_t staying = 0;
    std::size_t previousEnd = 0;
    for (const json::Value each : env) {
        const std::size_t end = each.offset() + each.raw().size();
        if (!isLeftover(env, each, facts)) {
            ++staying;
        } else if (staying > 0) {
            edits.push_back({previousEnd, end - previousEnd, {}});
        } else {
            const json::Value next = each.next();
            const std::size_t to = next.exists() ? keyAt(next) : end;
            edits.push_back({keyAt(each), to - keyAt(each), {}});
        }
        previousEnd = end;
    }
    return staying;
}

// A heading or key at or below the provider's table.
bool isOfProvider(const TomlKey &key)
{
    return key.size() >= 2 && key[0] == "model_providers" && key[1] == "headway";
}

bool isAtTop(const TomlStatement &each)
{
    return !each.isHeading && each.table.empty();
}

// Why the lines cannot be put in; empty: they can. The same key twice is an error to Codex.
QString conflict(const TomlStatement &each)
{
    const QString wrong = QStringLiteral("\"%1\" is a %2 there, which Codex does not take; put it "
                                         "right first");
    const std::string &first = each.path[0];
    if (each.isList && first == "model_providers")
        return wrong.arg(QString::fromStdString(first), QStringLiteral("list"));
    const bool isTable = each.isHeading || (isAtTop(each) && each.path.size() > 1);
    if (isTable && (first == "model" || first == "model_provider"))
        return wrong.arg(QString::fromStdString(first), QStringLiteral("table"));
    return {};
}

} // namespace

tl::expected<std::string, QString> withClaudeEnvironment(std::string_view settings,
                                                         const ClientSetupFacts &facts)
{
    if (isEmpty(settings))
        settings = "{}\n";
    json::Document document;
    if (const auto fault = document.read(settings))
        return tl::unexpected(
            QStringLiteral("it is no JSON (%1 at byte %2)")
                .arg(QString::fromUtf8(fault->what.data(), qsizetype(fault->what.size())))
                .arg(fault->offset));
    const json::Value root = document.root();
    const json::Value env = root["env"];
    if (!root.isObject() || (env.exists() && !env.isObject()))
        return tl::unexpected(QStringLiteral("it is no object, or its \"env\" is none"));
    std::vector<Edit> edits;
    const std::size_t staying = removeLeftovers(settings, env, facts, edits);
    std::vector<std::string> fresh;
    for (const auto &[name, value] : claudeVariables(facts)) {
        const json::Value old = env[name.toStdString()];
        if (old.exists())
            edits.push_back({old.offset(), old.raw().size(), json::literal(value.toStdString())});
        else
            fresh.push_back(member(name, value));
    }
    if (!fresh.empty() && env.exists()) {
        edits.push_back(insertion(env, fresh, "    ", staying > 0));
    } else if (!fresh.empty()) {
        std::string object = "\"env\": {";
        for (std::size_t i = 0; i < fresh.size(); ++i)
            object += (i == 0 ? "\n    " : ",\n    ") + fresh[i];
        edits.push_back(insertion(root, {object + "\n  }"}, "  ", root.first().exists()));
    }
    return edited(settings, std::move(edits));
}

tl::expected<std::string, QString> withCodexProvider(std::string_view config,
                                                     const ClientSetupFacts &facts)
{
    const auto statements = tomlStatements(config);
    if (!statements)
        return tl::unexpected(QStringLiteral("it is no TOML that can be followed"));
    std::vector<Edit> edits;
    bool hasModel = false;
    for (const TomlStatement &each : *statements) {
        if (const QString reason = conflict(each); !reason.isEmpty())
            return tl::unexpected(reason);
        if ((isOfProvider(each.path) && !isOfProvider(each.table))
            || (isAtTop(each) && each.path == TomlKey{"model_providers"}))
            return tl::unexpected(QStringLiteral(
                "it names its providers in a way that is not changed here; paste the lines"));
        if (isOfProvider(each.table))
            edits.push_back({each.begin, each.end - each.begin, {}});
        else if (isAtTop(each) && each.path == TomlKey{"model_provider"})
            edits.push_back(
                {each.begin, each.comment - each.begin, {}}); // a comment on it is the person's
        hasModel = hasModel || (isAtTop(each) && each.path == TomlKey{"model"});
    }
    std::string top = "model_provider = \"headway\"\n";
    if (!hasModel)
        top += "model = " + json::literal(codexModel(facts).toStdString()) + '\n';
    edits.push_back({config.starts_with(byteOrderMark) ? byteOrderMark.size() : 0, 0, top});
    std::string result = edited(config, std::move(edits));
    if (result.back() != '\n')
        result += '\n';
    if (!result.ends_with("\n\n"))
        result += '\n';
    return result + codexProvider(facts).toStdString();
}

QString codexProfileInTheWay(std::string_view config)
{
    const auto statements = tomlStatements(config);
    if (!statements)
        return {};
    const QString generic
        = QStringLiteral("It chooses a profile; where that names a provider, it counts more: take "
                         "model_provider out of it, or choose another profile");
    std::optional<std::string> chosen;
    for (const TomlStatement &each : *statements)
        if (isAtTop(each) && each.path == TomlKey{"profile"})
            chosen = each.text;
    if (!chosen)
        return {};
    QString reason = chosen->empty() ? generic : QString(); // a name that is not read
    for (const TomlStatement &each : *statements) {
        const TomlKey &path = each.path;
        const bool isInline = !each.isHeading
            && (path == TomlKey{"profiles"} || path == TomlKey{"profiles", *chosen});
        const std::string_view raw = config.substr(each.begin, each.end - each.begin);
        if (isInline && raw.find("model_provider") != std::string_view::npos)
            reason = generic;
        if (path != TomlKey{"profiles", *chosen, "model_provider"} || each.text == "headway")
            continue;
        reason = each.text.empty()
            ? generic
            : QStringLiteral(
                  "Its profile \"%1\" names the provider \"%2\", which counts more: take "
                  "model_provider out of [profiles.%1], or choose another profile")
                  .arg(QString::fromStdString(*chosen), QString::fromStdString(each.text));
    }
    return reason;
}

} // namespace headway::app
