// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/scenario.h"

#include "proxy/simulator/fields.h"

#include <QJsonDocument>
#include <QMap>

namespace headway::simulator {

namespace {

constexpr int maxCount = 1'000'000;

template <typename Kind>
std::optional<Kind> kindOf(Fields &fields, const QMap<QString, Kind> &kinds)
{
    const QString name = fields.text("kind", {});
    if (kinds.contains(name))
        return kinds.value(name);
    fields.refuse("kind",
                  "expected one of " + kinds.keys().join(QStringLiteral(", ")).toStdString());
    return std::nullopt;
}

void readMax(Fields &fields, UpgradeLimit &limit)
{
    const QJsonValue max = fields.any("max");
    limit.every = fields.seconds("every_s").value_or(base::Milliseconds{0});
    const QJsonArray list = max.isArray() ? max.toArray() : QJsonArray{max};
    for (const QJsonValue &value : list) {
        if (!value.isDouble() || value.toDouble() < 0)
            return fields.refuse("max", "expected a number, or a list of numbers with every_s");
        limit.max.push_back(value.toDouble());
    }
    if (limit.max.empty() || (limit.max.size() > 1 && limit.every.count() <= 0))
        fields.refuse("max", "a list of values needs every_s");
}

UpgradeLimit readLimit(Fields fields)
{
    using Kind = UpgradeLimit::Kind;
    UpgradeLimit limit;
    const auto kind = kindOf<Kind>(fields,
                                   {{QStringLiteral("sliding_window"), Kind::SlidingWindow},
                                    {QStringLiteral("token_bucket"), Kind::TokenBucket},
                                    {QStringLiteral("concurrent"), Kind::Concurrent},
                                    {QStringLiteral("random"), Kind::RandomRefusal},
                                    {QStringLiteral("after_total"), Kind::AfterTotal}});
    if (!kind)
        return limit;
    limit.kind = *kind;
    limit.status = fields.integer("status", 403, 400, 599);
    limit.retryAfter = fields.seconds("retry_after_s");
    switch (limit.kind) {
    case Kind::SlidingWindow:
        readMax(fields, limit);
        limit.window = fields.seconds("window_s").value_or(base::Milliseconds{60'000});
        limit.block = fields.seconds("block_s").value_or(base::Milliseconds{0});
        break;
    case Kind::TokenBucket:
        limit.ratePerMinute = fields.number("rate_per_min", 60, 0, 1e9);
        limit.burst = fields.number("burst", 1, 1, 1e9);
        break;
    case Kind::Concurrent:
        readMax(fields, limit);
        break;
    case Kind::RandomRefusal:
        limit.probability = fields.number("p", 0, 0, 1);
        break;
    case Kind::AfterTotal:
        readMax(fields, limit);
        limit.reset = fields.seconds("reset_s").value_or(base::Milliseconds{0});
        break;
    }
    fields.finish();
    return limit;
}

void readHeaders(Fields &fields, Fault &fault)
{
    const QJsonObject headers = fields.object("headers");
    for (auto it = headers.constBegin(); it != headers.constEnd(); ++it) {
        if (!it.value().isString())
            fields.refuse("headers", "expected an object of strings");
        fault.headers.emplace_back(it.key().toLatin1(), it.value().toString().toLatin1());
    }
}

void readFaultDetails(Fields &fields, Fault &fault)
{
    using Kind = Fault::Kind;
    switch (fault.kind) {
    case Kind::RejectUpgrades:
        fault.status = fields.integer("status", 403, 300, 599);
        fault.retryAfter = fields.seconds("retry_after_s");
        return;
    case Kind::UpgradeBody:
        fault.status = fields.integer("status", 403, 300, 599);
        fault.body = fields.text("body", {}).toUtf8();
        readHeaders(fields, fault);
        return;
    case Kind::ErrorEvent:
        fault.status = fields.integer("status", 500, 400, 599);
        fault.code = fields.text("code", QStringLiteral("server_error")).toUtf8();
        fault.message = fields.text("message", {}).toUtf8();
        fault.retryAfter = fields.seconds("retry_after_s");
        break;
    case Kind::Close:
        fault.closeCode = static_cast<std::uint16_t>(fields.integer("code", 1011, 1000, 4999));
        break;
    case Kind::Silence:
        fault.pongs = fields.boolean("pongs", true);
        break;
    case Kind::Reset:
    case Kind::Eof:
        break;
    case Kind::SwallowUpgrades:
    case Kind::EmptyCompleted:
        return;
    }
    fault.afterEvents = fields.integer("after_events", 0, 0, maxCount);
}

Fault readFault(Fields fields)
{
    using Kind = Fault::Kind;
    Fault fault;
    const auto kind = kindOf<Kind>(fields,
                                   {{QStringLiteral("reject_upgrades"), Kind::RejectUpgrades},
                                    {QStringLiteral("swallow_upgrades"), Kind::SwallowUpgrades},
                                    {QStringLiteral("upgrade_body"), Kind::UpgradeBody},
                                    {QStringLiteral("error_event"), Kind::ErrorEvent},
                                    {QStringLiteral("close"), Kind::Close},
                                    {QStringLiteral("reset"), Kind::Reset},
                                    {QStringLiteral("eof"), Kind::Eof},
                                    {QStringLiteral("silence"), Kind::Silence},
                                    {QStringLiteral("empty_completed"), Kind::EmptyCompleted}});
    if (!kind)
        return fault;
    fault.kind = *kind;
    fault.at = fields.seconds("at_s");
    fault.length = fields.seconds("for_s");
    if (fields.has("n"))
        fault.count = fields.integer("n", 1, 1, maxCount);
    else
        (void)fields.any("n");
    readFaultDetails(fields, fault);
    fields.finish();
    return fault;
}

Reply readReply(Fields fields)
{
    using Kind = Reply::Kind;
    Reply reply;
    const auto kind = kindOf<Kind>(fields,
                                   {{QStringLiteral("text"), Kind::Text},
                                    {QStringLiteral("reasoning"), Kind::Reasoning},
                                    {QStringLiteral("tool"), Kind::Tool},
                                    {QStringLiteral("tools"), Kind::Tools},
                                    {QStringLiteral("fanout"), Kind::Fanout}});
    if (!kind)
        return reply;
    reply.kind = *kind;
    reply.name = fields.text("name", {});
    const bool hasInput = fields.has("input");
    const QJsonObject input = fields.object("input");
    if (hasInput)
        reply.input = input;
    const bool several = *kind == Kind::Tools || *kind == Kind::Fanout;
    reply.n = fields.integer("n", several ? 3 : 1, 1, 1000);
    fields.finish();
    return reply;
}

// Reads each object of the array `key` with `read`.
template <typename Read>
auto readList(Fields &fields, const char *key, const std::string &path, Problem &problem, Read read)
{
    std::vector<decltype(read(std::declval<Fields>()))> list;
    const QJsonArray array = fields.array(key);
    for (qsizetype i = 0; i < array.size(); ++i) {
        const std::string itemPath = path + '.' + key + '[' + std::to_string(i) + ']';
        if (!array.at(i).isObject() && problem.empty())
            problem = itemPath + ": expected an object";
        list.push_back(read(Fields(array.at(i).toObject(), itemPath, problem)));
    }
    return list;
}

Scenario readProvider(const QJsonObject &provider, Problem &problem)
{
    const std::string path = "provider";
    Scenario scenario;
    Fields fields(provider, path, problem);
    scenario.upgradeLimits = readList(fields, "upgrade_limits", path, problem, readLimit);
    scenario.othersPerMinute = fields.number("others_per_min", 0, 0, 1e6);
    scenario.connect = fields.range("connect_ms", scenario.connect);
    scenario.firstToken = fields.range("first_token_ms", scenario.firstToken);
    scenario.turn = fields.range("turn_ms", scenario.turn);
    if (fields.has("tokens_per_min"))
        scenario.tokensPerMinute = fields.number("tokens_per_min", 1, 1, 1e12);
    else
        (void)fields.any("tokens_per_min");
    scenario.lanes = fields.boolean("lanes", false);
    scenario.planEndpoint = fields.boolean("plan_endpoint", false);
    scenario.connectionMaxAge
        = fields.seconds("connection_max_age_s").value_or(scenario.connectionMaxAge);
    scenario.maxFrameBytes
        = fields.integer("max_frame_bytes", scenario.maxFrameBytes, 1024, scenario.maxFrameBytes);
    scenario.faults = readList(fields, "faults", path, problem, readFault);
    scenario.replies = readList(fields, "replies", path, problem, readReply);
    fields.finish();
    return scenario;
}

} // namespace

tl::expected<Scenario, std::string> parseScenario(const QByteArray &json)
{
    QJsonParseError parseError;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parseError);
    if (!document.isObject())
        return tl::unexpected("scenario: not a JSON object ("
                              + parseError.errorString().toStdString() + " at byte "
                              + std::to_string(parseError.offset) + ')');
    const QJsonObject root = document.object();
    Problem problem;
    Scenario scenario;
    if (root.contains(QLatin1String("provider"))) {
        // A whole lab scenario: what concerns the lab alone is accepted and not looked at.
        Fields fields(root, "scenario", problem);
        (void)fields.text("name", {});
        (void)fields.number("duration_s", 0, 0, 1e9);
        (void)fields.object("workload");
        (void)fields.object("settings");
        const double seed = fields.number("seed", 1, 0, 9e15);
        const QJsonObject provider = fields.object("provider");
        fields.finish();
        scenario = readProvider(provider, problem);
        scenario.seed = static_cast<std::uint64_t>(seed);
    } else {
        scenario = readProvider(root, problem);
    }
    if (!problem.empty())
        return tl::unexpected(problem);
    return scenario;
}

Scenario defaultScenario()
{
    Scenario scenario;
    scenario.upgradeLimits.push_back({.kind = UpgradeLimit::Kind::SlidingWindow,
                                      .max = {70},
                                      .window = base::Seconds{60},
                                      .block = base::Seconds{20}});
    scenario.turn = {base::Milliseconds{2000}, base::Milliseconds{6000}};
    return scenario;
}

} // namespace headway::simulator
