// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/random.h"
#include "proxy/core/heads/pool.h"
#include "tests/core/heads/exhaustivematcher.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace headway::heads;
using exhaustive::Item;
using exhaustive::Items;

// A thousand random days of mixed traffic, as JSON text: branches, rewinds, title requests,
// compaction, dropped thinking, rewritten arguments, tools that change. Given the idle heads that
// the pool has, it continues what the exhaustive matcher finds, and nothing else.
class RecordedDayTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noContinuationIsLostAndNoneInvented_data();
    void noContinuationIsLostAndNoneInvented();
    void theDaysHadEverything();

private:
    std::map<QString, int> m_seen;
};

namespace {

using Random = headway::base::Random;

struct Chance
{
    Random random;

    std::size_t below(std::size_t limit) { return random.next() % limit; }
    bool oneIn(std::size_t n) { return below(n) == 0; }
};

QJsonObject object(const char *text)
{
    return QJsonDocument::fromJson(text).object();
}

// Two states of an agent's tools: a default comes, a number becomes declared, a tool goes.
const std::vector<exhaustive::Tools> &toolSets()
{
    static const std::vector<exhaustive::Tools> sets{
        {{QStringLiteral("edit"),
          object(R"({"type":"object","properties":{"path":{"type":"string"},)"
                 R"("all":{"type":"boolean","default":false},"marks":{"type":"array"}},)"
                 R"("required":["path"]})")},
         {QStringLiteral("run"),
          object(R"({"type":"object","properties":{"command":{"type":"string"},)"
                 R"("timeout":{"type":"number"},"tries":{"type":"integer","default":1}},)"
                 R"("required":["command"]})")}},
        {{QStringLiteral("edit"),
          object(R"({"type":"object","properties":{"path":{"type":"string"},)"
                 R"("all":{"type":"boolean"},"marks":{"type":"array"}},)"
                 R"("required":["path","marks"]})")},
         {QStringLiteral("run"),
          object(R"({"type":"object","properties":{"command":{"type":"string"},)"
                 R"("timeout":{"type":"string"}},"required":["command"]})")}},
    };
    return sets;
}

std::string toolText(const exhaustive::Tools &tools)
{
    QJsonArray list;
    for (const auto &[name, schema] : tools)
        list.append(QJsonObject{{QStringLiteral("type"), QStringLiteral("function")},
                                {QStringLiteral("name"), name},
                                {QStringLiteral("parameters"), schema}});
    return QJsonDocument(list).toJson(QJsonDocument::Compact).toStdString();
}

// JSON with members in any order, blanks anywhere, whole numbers spelled in several ways.
class Scribe
{
public:
    explicit Scribe(Chance &chance)
        : m_chance(chance)
    {
    }

    QByteArray write(const QJsonValue &value)
    {
        if (value.isObject())
            return writeObject(value.toObject());
        if (value.isArray()) {
            QByteArrayList parts;
            for (const QJsonValue &entry : value.toArray())
                parts << write(entry);
            return '[' + blank() + parts.join(',') + ']';
        }
        if (value.isDouble() && value.toDouble() == std::floor(value.toDouble())
            && m_chance.oneIn(3))
            return QByteArray::number(value.toDouble(), 'f', 0) + (m_chance.oneIn(2) ? ".0" : "e0");
        QByteArray text = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
        return text.mid(1, text.size() - 2);
    }

private:
    QByteArray blank() { return QByteArray(static_cast<qsizetype>(m_chance.below(2)), ' '); }

    QByteArray writeObject(const QJsonObject &value)
    {
        QStringList keys = value.keys();
        for (qsizetype i = keys.size(); i > 1; --i)
            keys.swapItemsAt(i - 1,
                             static_cast<qsizetype>(m_chance.below(static_cast<std::size_t>(i))));
        QByteArrayList parts;
        for (const QString &key : keys)
            parts << write(key) + blank() + ':' + blank() + write(value.value(key));
        return '{' + blank() + parts.join(',') + '}';
    }

    Chance &m_chance;
};

std::shared_ptr<const Item> make(const QJsonObject &value)
{
    return std::make_shared<const Item>(Item{value});
}

// One conversation on the client's side.
struct Conversation
{
    QString agent;
    Items items;
    bool waiting = false; // for a reply
};

struct Flight
{
    HeadId head;
    std::size_t conversation = 0; // index; or none for a side request
    bool side = false;
    Items input;
    std::size_t tools = 0;
};

class Day
{
public:
    Day(std::uint64_t seed, std::map<QString, int> &seen)
        : m_seen(seen)
        , m_chance{Random(seed)}
    {
        for (std::size_t i = 0; i < 2 + m_chance.below(2); ++i)
            m_conversations.push_back({QString::number(i % 2), {user()}, false});
    }

    void step()
    {
        m_now.steady += std::chrono::seconds{m_chance.below(40)};
        m_now.wall += std::chrono::seconds{m_chance.below(40)};
        const auto gone = m_pool.sweep(m_now);
        if (!m_flights.empty() && (m_flights.size() > 3 || m_chance.oneIn(2))) {
            complete(m_chance.below(m_flights.size()));
            return;
        }
        const std::size_t index = m_chance.below(m_conversations.size());
        if (m_conversations[index].waiting)
            return;
        change(index);
        begin(index);
    }

private:
    QJsonObject message(const char *role, const QString &text)
    {
        const QString type = QLatin1String(role) == QLatin1String("assistant")
            ? QStringLiteral("output_text")
            : QStringLiteral("input_text");
        return {{QStringLiteral("type"), QStringLiteral("message")},
                {QStringLiteral("role"), QLatin1String(role)},
                {QStringLiteral("content"),
                 QJsonArray{
                     QJsonObject{{QStringLiteral("type"), type}, {QStringLiteral("text"), text}}}}};
    }

    // Few words, so that conversations meet again.
    std::shared_ptr<const Item> user()
    {
        return make(message("user", QString::number(m_chance.below(3))));
    }

    QJsonValue argument()
    {
        switch (m_chance.below(9)) {
        case 0:
            return QJsonValue::Null;
        case 1:
            return QJsonArray{};
        case 2:
            return false;
        case 3:
            return QStringLiteral("false");
        case 4:
            return QStringLiteral("5000");
        case 5:
            return 5000;
        case 6:
            return QStringLiteral("1e3");
        case 7:
            return 1;
        default:
            return QStringLiteral("text");
        }
    }

    std::shared_ptr<const Item> call()
    {
        QJsonObject arguments{{QStringLiteral("path"), QStringLiteral("p")}};
        for (const char *name : {"all", "marks", "timeout", "tries", "other"}) {
            if (m_chance.oneIn(2))
                arguments.insert(QLatin1String(name), argument());
        }
        const QString name
            = QStringList{QStringLiteral("edit"), QStringLiteral("run"), QStringLiteral("unknown")}
                  .at(static_cast<qsizetype>(m_chance.below(3)));
        return make(
            {{QStringLiteral("type"), QStringLiteral("function_call")},
             {QStringLiteral("call_id"), QString(u'c' + QString::number(++m_calls))},
             {QStringLiteral("name"), name},
             {QStringLiteral("arguments"), QString::fromUtf8(Scribe(m_chance).write(arguments))}});
    }

    std::shared_ptr<const Item> search()
    {
        note(QStringLiteral("web search"));
        const QString query = QString::number(m_chance.below(6));
        return make(
            {{QStringLiteral("type"), QStringLiteral("web_search_call")},
             {QStringLiteral("id"), QString(QStringLiteral("ws") + QString::number(++m_calls))},
             {QStringLiteral("status"), QStringLiteral("completed")},
             {QStringLiteral("action"),
              QJsonObject{{QStringLiteral("type"), QStringLiteral("search")},
                          {QStringLiteral("query"), query},
                          {QStringLiteral("sources"), QJsonArray{query}}}}});
    }

    Items reply()
    {
        Items items;
        for (std::size_t i = m_chance.below(3); i > 0; --i)
            items.push_back(
                make({{QStringLiteral("type"), QStringLiteral("reasoning")},
                      {QStringLiteral("id"), QStringLiteral("rs")},
                      {QStringLiteral("summary"), QJsonArray{}},
                      {QStringLiteral("encrypted_content"), QString::number(m_chance.below(40))}}));
        if (m_chance.oneIn(3))
            items.push_back(search());
        if (m_chance.oneIn(6))
            items.push_back(make({{QStringLiteral("type"), QStringLiteral("message")},
                                  {QStringLiteral("role"), QStringLiteral("assistant")},
                                  {QStringLiteral("content"), QJsonArray{}}}));
        if (m_chance.oneIn(8))
            return items; // nothing that would come back but thinking
        if (m_chance.oneIn(2))
            items.push_back(make(message("assistant", QString::number(m_chance.below(3)))));
        for (std::size_t i = m_chance.below(3); i > 0; --i)
            items.push_back(call());
        return items;
    }

    // What a client makes of a call when it takes it in, with the tools it has.
    std::shared_ptr<const Item> takenIn(const std::shared_ptr<const Item> &item,
                                        const exhaustive::Tools &tools)
    {
        QJsonObject value = item->value;
        if (item->isReasoning() && m_chance.oneIn(2))
            value[QLatin1String("summary")] = QJsonArray{QStringLiteral("s")};
        if (value.contains(QLatin1String("action")) && m_chance.oneIn(2)) {
            QJsonObject action = value.value(QLatin1String("action")).toObject();
            action.remove(QLatin1String("sources"));
            value[QLatin1String("action")] = action;
            value.remove(QLatin1String("id"));
        }
        const QString name = value.value(QLatin1String("name")).toString();
        if (name.isEmpty())
            return make(value);
        const auto tool = tools.find(name);
        const QJsonObject schema = tool == tools.end() ? QJsonObject{} : tool->second;
        QJsonObject arguments
            = QJsonDocument::fromJson(value.value(QLatin1String("arguments")).toString().toUtf8())
                  .object();
        if (m_chance.oneIn(2)) {
            arguments = exhaustive::normalised(arguments, schema);
            note(QStringLiteral("rewritten"));
        }
        const QJsonObject properties = schema.value(QLatin1String("properties")).toObject();
        for (const QString &key : properties.keys()) {
            const QJsonValue fallback
                = properties.value(key).toObject().value(QLatin1String("default"));
            if (!fallback.isUndefined() && !arguments.contains(key) && m_chance.oneIn(2))
                arguments.insert(key, fallback);
        }
        if (m_chance.oneIn(12))
            arguments.insert(QStringLiteral("path"), QStringLiteral("changed")); // a real change
        value[QLatin1String("arguments")] = QString::fromUtf8(Scribe(m_chance).write(arguments));
        return make(value);
    }

    void note(const QString &what) { ++m_seen[what]; }

    // What befalls a conversation before its next turn.
    void change(std::size_t index)
    {
        Conversation &talk = m_conversations[index];
        const auto keep = [this, &talk](std::size_t least) {
            talk.items.resize(least + m_chance.below(talk.items.size() - least + 1));
        };
        switch (m_chance.below(14)) {
        case 0:
            keep(1);
            talk.items.push_back(user());
            note(QStringLiteral("rewind"));
            break;
        case 1:
            if (m_conversations.size() < 6) {
                m_conversations.push_back(talk);
                m_conversations.back().items.push_back(user());
                note(QStringLiteral("branch"));
            }
            break;
        case 2:
            m_conversations[index].items = {user(), user()};
            note(QStringLiteral("compaction"));
            break;
        case 3:
        case 4:
            std::erase_if(talk.items, [this](const auto &item) {
                return item->isOptional() && m_chance.oneIn(2);
            });
            note(QStringLiteral("dropped thinking"));
            break;
        case 5:
            m_tools = m_chance.below(toolSets().size());
            note(QStringLiteral("tools changed"));
            break;
        case 6:
            side(talk.agent);
            break;
        default:
            break;
        }
        Conversation &now = m_conversations[index];
        if (now.items.size() > 24)
            now.items = {user()};
    }

    void side(const QString &agent)
    {
        note(QStringLiteral("title"));
        const Items input{make(message("user", QStringLiteral("title?")))};
        ask(agent, input, 0, true);
    }

    void begin(std::size_t index)
    {
        m_conversations[index].waiting = true;
        ask(m_conversations[index].agent, m_conversations[index].items, index, false);
    }

    void ask(const QString &agent, const Items &input, std::size_t index, bool isSide)
    {
        const auto &tools = toolSets()[m_tools];
        const auto prints = print(input);
        ScanRequest request;
        request.key = PartitionKey{agent.toStdString()};
        request.input = prints;
        request.schemas = m_printer.schemas(toolText(tools));
        const ScanResult scan = m_pool.scan(request, m_now);
        judge(scan, agent, input, tools);
        if (QTest::currentTestFailed())
            return;
        HeadId head = scan.head;
        if (scan.decision == Decision::Continuation)
            (void)m_pool.claim(head, request, m_now);
        else
            head = m_pool
                       .open(request, scan.decision, headway::base::ConnectionId{++m_connections},
                             m_now)
                       .head;
        m_agents[head] = agent;
        m_flights.push_back({head, index, isSide, input, m_tools});
    }

    void judge(const ScanResult &scan, const QString &agent, const Items &input,
               const exhaustive::Tools &tools)
    {
        exhaustive::Texts texts(tools);
        std::optional<exhaustive::Match> best;
        HeadId winner;
        for (const HeadView &view : m_pool.views(m_now)) {
            if (view.inFlight || m_agents[view.head] != agent)
                continue;
            const auto match = exhaustive::match(m_stored[view.head], input, texts);
            if (match
                && (!best
                    || std::pair(match->length, match->exact)
                        > std::pair(best->length, best->exact)))
            {
                best = match;
                winner = view.head;
            }
        }
        QCOMPARE(scan.decision == Decision::Continuation, best.has_value());
        if (!best)
            return;
        QCOMPARE(scan.head.value(), winner.value());
        QCOMPARE(scan.deltaFrom, best->length);
        QCOMPARE(scan.mode == MatchMode::Exact, best->exact);
        note(best->exact ? QStringLiteral("exact") : QStringLiteral("omitted"));
    }

    void complete(std::size_t flightIndex)
    {
        const Flight flight = m_flights[flightIndex];
        m_flights.erase(m_flights.begin() + static_cast<std::ptrdiff_t>(flightIndex));
        Conversation *talk = flight.side ? nullptr : &m_conversations[flight.conversation];
        if (talk != nullptr)
            talk->waiting = false;
        if (m_chance.oneIn(10)) {
            (void)m_pool.remove(flight.head, EvictionReason::FailedTurn);
            return;
        }
        const Items answer = reply();
        (void)m_pool.complete(flight.head, {.responseId = "r", .echoed = print(answer)}, m_now);
        Items stored = flight.input;
        stored.insert(stored.end(), answer.begin(), answer.end());
        m_stored[flight.head] = stored;
        if (talk == nullptr)
            return;
        for (const auto &item : answer) {
            talk->items.push_back(takenIn(item, toolSets()[flight.tools]));
            const QString id = item->value.value(QLatin1String("call_id")).toString();
            if (id.isEmpty())
                continue;
            m_outputs.push_back(
                make({{QStringLiteral("type"), QStringLiteral("function_call_output")},
                      {QStringLiteral("call_id"), id},
                      {QStringLiteral("output"), QStringLiteral("x")}}));
        }
        talk->items.insert(talk->items.end(), m_outputs.begin(), m_outputs.end());
        if (m_outputs.empty())
            talk->items.push_back(user());
        m_outputs.clear();
    }

    std::vector<ItemPrint> print(const Items &items)
    {
        std::vector<ItemPrint> prints;
        for (const auto &item : items)
            prints.push_back(m_printer.print(Scribe(m_chance).write(item->value).toStdString()));
        return prints;
    }

    std::map<QString, int> &m_seen;
    Chance m_chance;
    ItemPrinter m_printer{9};
    HeadPool m_pool{PoolSettings{.nurseryCap = 6, .establishedCap = 6}, 3};
    headway::base::Now m_now{headway::base::SteadyTime{std::chrono::hours{2}},
                             headway::base::WallTime{std::chrono::hours{400'000}}};
    std::vector<Conversation> m_conversations;
    std::vector<Flight> m_flights;
    std::map<HeadId, Items> m_stored;
    std::map<HeadId, QString> m_agents;
    Items m_outputs;
    std::size_t m_tools = 0;
    std::uint64_t m_connections = 0;
    int m_calls = 0;
};

} // namespace

void RecordedDayTest::noContinuationIsLostAndNoneInvented_data()
{
    QTest::addColumn<int>("firstSeed");
    for (int first = 1; first <= 1'000; first += 50)
        QTest::newRow(std::to_string(first).c_str()) << first;
}

void RecordedDayTest::noContinuationIsLostAndNoneInvented()
{
    QFETCH(const int, firstSeed);
    for (int seed = firstSeed; seed < firstSeed + 50; ++seed) {
        Day day(static_cast<std::uint64_t>(seed), m_seen);
        for (int step = 0; step < 60; ++step) {
            day.step();
            if (QTest::currentTestFailed()) {
                qWarning("seed %d, step %d", seed, step);
                return;
            }
        }
    }
}

void RecordedDayTest::theDaysHadEverything()
{
    for (const char *what : {"rewind", "branch", "compaction", "dropped thinking", "tools changed",
                             "title", "rewritten", "exact", "omitted"})
    {
        const int count = m_seen[QLatin1String(what)];
        QVERIFY2(count >= 300, (std::string(what) + ' ' + std::to_string(count)).c_str());
    }
}

QTEST_APPLESS_MAIN(RecordedDayTest)
#include "tst_recordedday.moc"
