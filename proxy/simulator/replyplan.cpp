// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/replyplan.h"

#include "proxy/simulator/jsontext.h"
#include "proxy/simulator/toolbox.h"

#include <QRegularExpression>

#include <algorithm>

namespace headway::simulator {

namespace {

constexpr auto greeting = "Hello from the simulated provider.";
constexpr qsizetype reasoningTokens = 64;

QString compact(const QJsonObject &object)
{
    return QString::fromUtf8(compactJson(object));
}

QString prose(base::Random &random)
{
    static const QStringList words
        = QStringLiteral(
              "the agent reads a file then edits one line runs every test and reports what "
              "changed before it asks for more work on this small tree")
              .split(u' ');
    QString text = QString::fromLatin1(greeting);
    const auto count = 10 + static_cast<int>(random.uniform(0, 40));
    for (int i = 0; i < count; ++i)
        text += u' '
            + words.at(
                static_cast<qsizetype>(random.next() % static_cast<std::uint64_t>(words.size())));
    return text + u'.';
}

QJsonObject message(Mint &mint, const QString &text)
{
    const QJsonObject part{{QStringLiteral("type"), QStringLiteral("output_text")},
                           {QStringLiteral("text"), text},
                           {QStringLiteral("annotations"), QJsonArray()},
                           {QStringLiteral("logprobs"), QJsonArray()}};
    return {{QStringLiteral("type"), QStringLiteral("message")},
            {QStringLiteral("id"), mint.id("msg_")},
            {QStringLiteral("status"), QStringLiteral("completed")},
            {QStringLiteral("role"), QStringLiteral("assistant")},
            {QStringLiteral("content"), QJsonArray{part}}};
}

QJsonObject reasoning(Mint &mint, const QJsonObject &request)
{
    // A summary is only made when it is asked for (protocols.md 3.3).
    QJsonArray summary;
    const QJsonValue wanted
        = request.value(QLatin1String("reasoning")).toObject().value(QLatin1String("summary"));
    if (wanted.isString())
        summary.append(
            QJsonObject{{QStringLiteral("type"), QStringLiteral("summary_text")},
                        {QStringLiteral("text"),
                         QStringLiteral("Weighing **what to do** next, step by step.")}});
    return {{QStringLiteral("type"), QStringLiteral("reasoning")},
            {QStringLiteral("id"), mint.id("rs_")},
            {QStringLiteral("summary"), summary},
            {QStringLiteral("encrypted_content"), mint.encryptedContent()}};
}

QJsonObject localShellCall(Mint &mint, const QString &command)
{
    const QJsonObject action{{QStringLiteral("type"), QStringLiteral("exec")},
                             {QStringLiteral("command"),
                              QJsonArray{QStringLiteral("bash"), QStringLiteral("-lc"), command}},
                             {QStringLiteral("env"), QJsonObject()}};
    return {{QStringLiteral("type"), QStringLiteral("local_shell_call")},
            {QStringLiteral("id"), mint.id("lsh_")},
            {QStringLiteral("call_id"), mint.id("call_")},
            {QStringLiteral("action"), action},
            {QStringLiteral("status"), QStringLiteral("completed")}};
}

QJsonObject call(Mint &mint, const CallableTool &tool, const std::optional<QJsonObject> &input,
                 const QString &command)
{
    if (tool.kind == CallableTool::Kind::LocalShell)
        return localShellCall(mint, command);
    const bool custom = tool.kind == CallableTool::Kind::Custom;
    QJsonObject item{
        {QStringLiteral("type"),
         custom ? QStringLiteral("custom_tool_call") : QStringLiteral("function_call")},
        {QStringLiteral("id"), mint.id(custom ? "ctc_" : "fc_")},
        {QStringLiteral("call_id"), mint.id("call_")},
        {QStringLiteral("name"), tool.name},
        {QStringLiteral("status"), QStringLiteral("completed")}};
    if (!tool.nameSpace.isEmpty())
        item.insert(QStringLiteral("namespace"), tool.nameSpace);
    if (!custom) {
        item.insert(QStringLiteral("arguments"),
                    compact(input ? *input : sampleObject(tool.parameters, command)));
        return item;
    }
    // Codex's code mode takes a program, other custom tools take free text.
    const QString program = QStringLiteral("const r = await tools.exec_command({cmd: \"") + command
        + QStringLiteral("\"}); text(r.output);");
    const QString given = input ? input->value(QLatin1String("input")).toString() : QString();
    item.insert(QStringLiteral("input"), given.isEmpty() ? program : given);
    return item;
}

QJsonArray toolCalls(const AcceptedTurn &turn, const Reply &reply, Mint &mint)
{
    const auto tool
        = reply.name.isEmpty() ? findShellTool(turn.tools) : findTool(turn.tools, {reply.name});
    if (!tool)
        return {message(mint,
                        QStringLiteral("I would call ")
                            + (reply.name.isEmpty() ? QStringLiteral("a tool") : reply.name)
                            + QStringLiteral(", but it is not among the tools of this request."))};
    QJsonArray calls;
    const int count = reply.kind == Reply::Kind::Tools ? reply.n : 1;
    for (int i = 0; i < count; ++i) {
        const QString command
            = count == 1 ? QStringLiteral("echo hello") : QStringLiteral("echo hello-%1").arg(i);
        calls.append(call(mint, *tool, reply.input, command));
    }
    return calls;
}

// The input of the i-th sub-agent: what the tool's schema requires, the usual values where it knows
// them, what the scenario adds, and a prompt that says which one it is.
QJsonObject subagentInput(const CallableTool &tool, const QJsonObject &extra, int i)
{
    const QJsonObject known = tool.parameters.value(QLatin1String("properties")).toObject();
    const std::pair<QString, QJsonValue> usual[] = {
        {QStringLiteral("description"), QStringLiteral("job %1").arg(i)},
        {QStringLiteral("subagent_type"), QStringLiteral("general-purpose")},
        {QStringLiteral("run_in_background"), false},
        {QStringLiteral("task_name"), QStringLiteral("job_%1").arg(i)},
    };
    QJsonObject input = sampleObject(tool.parameters, {});
    for (const auto &[key, value] : usual) {
        if (known.contains(key))
            input.insert(key, value);
    }
    for (auto it = extra.constBegin(); it != extra.constEnd(); ++it)
        input.insert(it.key(), it.value());
    const QString prompt = tool.name == QLatin1String("spawn_agent") ? QStringLiteral("message")
                                                                     : QStringLiteral("prompt");
    const QString task = extra.value(prompt).toString(QStringLiteral("do one small thing."));
    input.insert(prompt, QString(QStringLiteral("SUBAGENT-%1 ").arg(i) + task));
    return input;
}

QJsonArray fanout(const AcceptedTurn &turn, const Reply &reply, Mint &mint)
{
    const auto tool = findAgentTool(turn.tools);
    if (!tool) // Codex offers no sub-agents with every model: as many commands at once then
        return toolCalls(turn, {.kind = Reply::Kind::Tools, .n = reply.n}, mint);
    QJsonArray calls;
    for (int i = 0; i < reply.n; ++i)
        calls.append(
            call(mint, *tool, subagentInput(*tool, reply.input.value_or(QJsonObject()), i), {}));
    return calls;
}

std::optional<Reply> asked(const QString &userText)
{
    static const QRegularExpression directive(
        QStringLiteral("simulate:(text|reasoning|tools|tool|fanout)(?:[ =]([0-9]{1,3}))?\\b"));
    std::optional<Reply> reply;
    auto matches = directive.globalMatch(userText);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const QString kind = match.captured(1);
        using Kind = Reply::Kind;
        reply
            = Reply{.kind = kind == QLatin1String("text")    ? Kind::Text
                        : kind == QLatin1String("reasoning") ? Kind::Reasoning
                        : kind == QLatin1String("tool")      ? Kind::Tool
                        : kind == QLatin1String("tools")     ? Kind::Tools
                                                             : Kind::Fanout,
                    .n = match.captured(2).isEmpty() ? 3 : std::max(1, match.captured(2).toInt())};
    }
    return reply;
}

Reply choose(const AcceptedTurn &turn, const std::vector<Reply> &replies, base::Random &random)
{
    const ChainContext &context = turn.context;
    const std::optional<Reply> directive
        = context.endsWithToolOutput ? std::nullopt : asked(context.lastUserText);
    if (context.isSubagent)
        return directive.value_or(Reply{});
    if (!replies.empty()) {
        const auto index = static_cast<std::size_t>(context.modelTurns);
        return index < replies.size() ? replies[index] : Reply{};
    }
    if (directive)
        return *directive;
    const QJsonObject forced = turn.request.value(QLatin1String("tool_choice")).toObject();
    if (forced.value(QLatin1String("type")) == QLatin1String("function")
        && !context.endsWithToolOutput)
        return {.kind = Reply::Kind::Tool, .name = forced.value(QLatin1String("name")).toString()};
    return {.kind = random.uniform(0, 1) < 0.5 ? Reply::Kind::Text : Reply::Kind::Reasoning};
}

QString replyText(const AcceptedTurn &turn, const Reply &reply, base::Random &random)
{
    if (reply.input && reply.input->contains(QLatin1String("text")))
        return reply.input->value(QLatin1String("text")).toString();
    if (turn.context.endsWithToolOutput)
        return QStringLiteral("Done: the tool has answered. ") + prose(random);
    return prose(random);
}

// Cuts what goes beyond max_output_tokens off the last text.
void truncate(PlannedReply &plan, const QJsonObject &request)
{
    const double limit = request.value(QLatin1String("max_output_tokens")).toDouble(0);
    if (limit <= 0 || plan.items.isEmpty())
        return;
    QJsonObject last = plan.items.last().toObject();
    if (last.value(QLatin1String("type")) != QLatin1String("message"))
        return;
    QJsonObject part = last.value(QLatin1String("content")).toArray().at(0).toObject();
    const QString text = part.value(QLatin1String("text")).toString();
    const auto room = static_cast<qsizetype>(std::min(limit, 1e9)) * 4;
    if (text.size() <= room)
        return;
    part.insert(QStringLiteral("text"), text.left(room));
    last.insert(QStringLiteral("content"), QJsonArray{part});
    last.insert(QStringLiteral("status"), QStringLiteral("incomplete"));
    plan.items.replace(plan.items.size() - 1, last);
    plan.truncated = true;
}

} // namespace

PlannedReply planReply(const AcceptedTurn &turn, const std::vector<Reply> &replies, Mint &mint,
                       base::Random &random)
{
    PlannedReply plan;
    if (!turn.generate)
        return plan;
    const QJsonObject format = turn.request.value(QLatin1String("text"))
                                   .toObject()
                                   .value(QLatin1String("format"))
                                   .toObject();
    if (format.value(QLatin1String("type")) == QLatin1String("json_schema")) {
        const QJsonObject schema = format.value(QLatin1String("schema")).toObject();
        plan.items = {message(mint, compact(sampleObject(schema, {})))};
        return plan;
    }
    Reply reply = choose(turn, replies, random);
    const bool callsTools = reply.kind != Reply::Kind::Text && reply.kind != Reply::Kind::Reasoning;
    const bool mayCall = !turn.tools.isEmpty()
        && turn.request.value(QLatin1String("tool_choice")) != QLatin1String("none");
    if (callsTools && mayCall) {
        plan.items = reply.kind == Reply::Kind::Fanout ? fanout(turn, reply, mint)
                                                       : toolCalls(turn, reply, mint);
        return plan;
    }
    if (callsTools)
        reply = Reply{};
    if (reply.kind == Reply::Kind::Reasoning) {
        plan.items.append(reasoning(mint, turn.request));
        plan.reasoningTokens = reasoningTokens;
    }
    plan.items.append(message(mint, replyText(turn, reply, random)));
    truncate(plan, turn.request);
    return plan;
}

} // namespace headway::simulator
