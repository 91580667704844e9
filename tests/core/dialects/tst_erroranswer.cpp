// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

constexpr base::TurnId turn{0xabc};

std::string header(const Answer &answer, const std::string &name)
{
    for (const auto &[key, value] : answer.headers) {
        if (QByteArray::fromStdString(key).toLower() == QByteArray::fromStdString(name).toLower())
            return value;
    }
    return {};
}

TurnError errorOf(ErrorKind kind, int retryMs = -1)
{
    TurnError error;
    error.kind = kind;
    error.message = "What happened.";
    if (retryMs >= 0)
        error.retryAfter = base::Milliseconds(retryMs);
    return error;
}

QJsonObject inner(const Answer &answer)
{
    return wire::object(answer.body)[QLatin1String("error")].toObject();
}

QString messageOf(const Answer &answer)
{
    return inner(answer)[QLatin1String("message")].toString();
}

} // namespace

class ErrorAnswerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersInTheClientsTerms_data();
    void answersInTheClientsTerms();
    void passesOnWhatUpstreamSaidOfTheRequest();
    void statesADelayEachClientTakes_data();
    void statesADelayEachClientTakes();
    void saysOverloadedOnlyForOverload();
    void tellsAContextOverflowInTheFormThatCompacts();
    void tellsOfAPlanLimitWithItsReset();
    void namesTheLimiter_data();
    void namesTheLimiter();
    void framesASocketError();
    void keepsUpstreamCodesForResponses();
    void carriesTheRequestId();
    void listsModels();
    void answersACount();
};

// Table 5.4 and spec/turns.md.
void ErrorAnswerTest::answersInTheClientsTerms_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("messagesStatus");
    QTest::addColumn<QByteArray>("messagesType");
    QTest::addColumn<int>("responsesStatus");
    const auto row = [](ErrorKind kind, int status, const char *type, int responses) {
        QTest::newRow(std::string(name(kind)).c_str())
            << static_cast<int>(kind) << status << QByteArray(type) << responses;
    };
    row(ErrorKind::InvalidRequest, 400, "invalid_request_error", 400);
    row(ErrorKind::ContextOverflow, 400, "invalid_request_error", 400);
    row(ErrorKind::Authentication, 401, "authentication_error", 401);
    row(ErrorKind::Billing, 402, "billing_error", 402);
    row(ErrorKind::Permission, 403, "permission_error", 403);
    row(ErrorKind::NotFound, 404, "not_found_error", 404);
    row(ErrorKind::TooLarge, 413, "request_too_large", 413);
    row(ErrorKind::RefusedByUs, 429, "rate_limit_error", 429);
    row(ErrorKind::Throttled, 429, "rate_limit_error", 429);
    row(ErrorKind::PlanLimit, 429, "rate_limit_error", 429);
    row(ErrorKind::Overloaded, 529, "overloaded_error", 503);
    row(ErrorKind::UpstreamFailed, 500, "api_error", 500);
    row(ErrorKind::Unreachable, 502, "api_error", 502);
    row(ErrorKind::Timeout, 504, "timeout_error", 504);
    row(ErrorKind::Unavailable, 503, "api_error", 503);
}

void ErrorAnswerTest::answersInTheClientsTerms()
{
    QFETCH(const int, kind);
    QFETCH(const int, messagesStatus);
    QFETCH(const QByteArray, messagesType);
    QFETCH(const int, responsesStatus);
    const TurnError error = errorOf(static_cast<ErrorKind>(kind));
    const Answer messages = errorAnswer(Door::Messages, error, turn);
    QCOMPARE(messages.status, messagesStatus);
    QCOMPARE(wire::object(messages.body)[QLatin1String("type")].toString(), QLatin1String("error"));
    QCOMPARE(inner(messages)[QLatin1String("type")].toString().toUtf8(), messagesType);
    QVERIFY(!messageOf(messages).isEmpty());
    const Answer responses = errorAnswer(Door::Responses, error, turn);
    QCOMPARE(responses.status, responsesStatus);
    for (const char *member : {"message", "type", "param", "code"})
        QVERIFY(inner(responses).contains(QLatin1String(member)));
    // Every 429 states a delay, in the header and in words.
    for (const Answer &answer : {messages, responses}) {
        if (answer.status != 429)
            continue;
        const QString seconds = QString::fromStdString(header(answer, "retry-after"));
        QVERIFY(seconds.toInt() > 0);
        QVERIFY(
            messageOf(answer).contains(QLatin1String("retry after ") + seconds + QLatin1Char('s')));
    }
}

// spec/pacing.md section 6, "other 4xx: passed on": Codex and the SDKs ask again after a 409. A
// status that says something else than that the request is wrong is not put to it.
void ErrorAnswerTest::passesOnWhatUpstreamSaidOfTheRequest()
{
    TurnError error = errorOf(ErrorKind::InvalidRequest);
    for (const auto &[upstream, told] : std::initializer_list<std::pair<int, int>>{{409, 409},
                                                                                   {422, 422},
                                                                                   {400, 400},
                                                                                   {451, 451},
                                                                                   {401, 400},
                                                                                   {407, 400},
                                                                                   {426, 400},
                                                                                   {429, 400},
                                                                                   {500, 400},
                                                                                   {200, 400},
                                                                                   {0, 400}})
    {
        error.upstreamStatus = upstream;
        for (const Door door : {Door::Messages, Door::Responses, Door::ChatCompletions})
            QCOMPARE(errorAnswer(door, error, turn).status, told);
    }
    error = errorOf(ErrorKind::UpstreamFailed);
    error.upstreamStatus = 409;
    QCOMPARE(errorAnswer(Door::Responses, error, turn).status, 500);
}

void ErrorAnswerTest::statesADelayEachClientTakes_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("milliseconds");
    QTest::addColumn<QByteArray>("messages"); // Claude: above 0, 60 at most
    QTest::addColumn<QByteArray>("responses"); // Codex: on every 429, uncapped
    const auto row = [](const char *name, ErrorKind kind, int ms, const char *messages,
                        const char *responses) {
        QTest::newRow(name) << static_cast<int>(kind) << ms << QByteArray(messages)
                            << QByteArray(responses);
    };
    row("whole", ErrorKind::RefusedByUs, 7000, "7", "7");
    row("rounded up", ErrorKind::RefusedByUs, 2001, "3", "3");
    row("never zero", ErrorKind::Throttled, 0, "1", "1");
    row("sixty", ErrorKind::Throttled, 60000, "60", "60");
    row("above sixty", ErrorKind::Throttled, 60001, "60", "61");
    row("hours", ErrorKind::PlanLimit, 9568000, "60", "9568"); // B72
    row("unstated", ErrorKind::Throttled, -1, "5", "5"); // B75
    row("draining", ErrorKind::Unavailable, 2000, "2", "2");
    row("no limit, no delay", ErrorKind::UpstreamFailed, 9000, "", "");
}

void ErrorAnswerTest::statesADelayEachClientTakes()
{
    QFETCH(const int, kind);
    QFETCH(const int, milliseconds);
    QFETCH(const QByteArray, messages);
    QFETCH(const QByteArray, responses);
    const TurnError error = errorOf(static_cast<ErrorKind>(kind), milliseconds);
    QCOMPARE(
        QByteArray::fromStdString(header(errorAnswer(Door::Messages, error, turn), "retry-after")),
        messages);
    const Answer answer = errorAnswer(Door::Responses, error, turn);
    QCOMPARE(QByteArray::fromStdString(header(answer, "retry-after")), responses);
    if (!responses.isEmpty())
        QVERIFY(messageOf(answer).contains(QLatin1String("Please try again in ")
                                           + QString::fromUtf8(responses) + QLatin1Char('s')));
}

void ErrorAnswerTest::saysOverloadedOnlyForOverload()
{
    for (int kind = 0; kind <= static_cast<int>(ErrorKind::Unavailable); ++kind) {
        const auto value = static_cast<ErrorKind>(kind);
        const Answer answer = errorAnswer(Door::Messages, errorOf(value, 2000), turn);
        const bool overloaded
            = answer.status == 529 || answer.body.find("overloaded_error") != std::string::npos;
        QCOMPARE(overloaded, value == ErrorKind::Overloaded);
    }
}

// B81
void ErrorAnswerTest::tellsAContextOverflowInTheFormThatCompacts()
{
    TurnError error = errorOf(ErrorKind::ContextOverflow);
    error.message = "Your input exceeds the context window of this model.";
    error.tokens = 201234;
    error.maximumTokens = 200000;
    const Answer answer = errorAnswer(Door::Messages, error, turn);
    QCOMPARE(answer.status, 400);
    QCOMPARE(messageOf(answer),
             QLatin1String("prompt is too long: 201234 tokens > 200000 maximum"));
    const Answer responses = errorAnswer(Door::Responses, error, turn);
    QCOMPARE(inner(responses)[QLatin1String("code")].toString(),
             QLatin1String("context_length_exceeded"));
    QCOMPARE(messageOf(responses), QString::fromStdString(error.message));
    error.tokens.reset();
    error.maximumTokens.reset();
    QVERIFY(messageOf(errorAnswer(Door::Messages, error, turn))
                .startsWith(QLatin1String("prompt is too long")));
}

// B72
void ErrorAnswerTest::tellsOfAPlanLimitWithItsReset()
{
    TurnError error = errorOf(ErrorKind::PlanLimit, 9568000);
    error.resetsAt = base::WallTime(std::chrono::seconds(1795963168)); // 2026-11-29 14:39:28 UTC
    const Answer answer = errorAnswer(Door::Messages, error, turn);
    QCOMPARE(answer.status, 429);
    QCOMPARE(header(answer, "x-should-retry"), std::string("false"));
    QCOMPARE(header(answer, "anthropic-ratelimit-unified-status"), std::string("rejected"));
    QCOMPARE(header(answer, "anthropic-ratelimit-unified-reset"), std::string("1795963168"));
    QVERIFY2(messageOf(answer).contains(QLatin1String("2026-11-29 14:39:28 UTC")),
             qPrintable(messageOf(answer)));
    const Answer responses = errorAnswer(Door::Responses, error, turn);
    QCOMPARE(inner(responses)[QLatin1String("type")].toString(),
             QLatin1String("usage_limit_reached"));
    QCOMPARE(inner(responses)[QLatin1String("resets_at")].toInt(), 1795963168);
    for (const ErrorKind kind : {ErrorKind::RefusedByUs, ErrorKind::Throttled})
        QCOMPARE(header(errorAnswer(Door::Messages, errorOf(kind, 2000), turn), "x-should-retry"),
                 std::string());
}

void ErrorAnswerTest::namesTheLimiter_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("word");
    QTest::newRow("ours") << static_cast<int>(ErrorKind::RefusedByUs) << QStringLiteral("Headway");
    QTest::newRow("provider") << static_cast<int>(ErrorKind::Throttled)
                              << QStringLiteral("provider");
    QTest::newRow("plan") << static_cast<int>(ErrorKind::PlanLimit) << QStringLiteral("plan");
}

void ErrorAnswerTest::namesTheLimiter()
{
    QFETCH(const int, kind);
    QFETCH(const QString, word);
    const QString message
        = messageOf(errorAnswer(Door::Messages, errorOf(static_cast<ErrorKind>(kind), 2000), turn));
    QVERIFY2(message.contains(word), qPrintable(message));
    QVERIFY(message.contains(QLatin1String("What happened.")));
}

void ErrorAnswerTest::framesASocketError()
{
    const Answer answer
        = errorAnswer(Door::ResponsesSocket, errorOf(ErrorKind::RefusedByUs, 90000), turn);
    QCOMPARE(answer.status, 429);
    const QJsonObject frame = wire::object(answer.body);
    QCOMPARE(frame[QLatin1String("type")].toString(), QLatin1String("error"));
    QCOMPARE(frame[QLatin1String("status")].toInt(), 429);
    QCOMPARE(frame[QLatin1String("headers")].toObject()[QLatin1String("retry-after")].toString(),
             QLatin1String("90"));
    // Each frame has a status, whatever the kind.
    for (int kind = 0; kind <= static_cast<int>(ErrorKind::Unavailable); ++kind) {
        const Answer other
            = errorAnswer(Door::ResponsesSocket, errorOf(static_cast<ErrorKind>(kind)), turn);
        QCOMPARE(wire::object(other.body)[QLatin1String("status")].toInt(), other.status);
    }
}

void ErrorAnswerTest::keepsUpstreamCodesForResponses()
{
    TurnError error = errorOf(ErrorKind::InvalidRequest);
    error.code = "previous_response_not_found";
    error.param = "previous_response_id";
    const QJsonObject told = inner(errorAnswer(Door::ResponsesSocket, error, turn));
    QCOMPARE(told[QLatin1String("code")].toString(), QLatin1String("previous_response_not_found"));
    QCOMPARE(told[QLatin1String("param")].toString(), QLatin1String("previous_response_id"));
}

void ErrorAnswerTest::carriesTheRequestId()
{
    QCOMPARE(requestId(turn), std::string("req_0000000000000abc"));
    for (const Door door : {Door::Messages, Door::Responses, Door::ResponsesSocket}) {
        const Answer answer = errorAnswer(door, errorOf(ErrorKind::Timeout), turn);
        QCOMPARE(header(answer, "request-id"), requestId(turn));
        QVERIFY(header(answer, "content-type").starts_with("application/json"));
    }
    const Answer answer = errorAnswer(Door::Messages, errorOf(ErrorKind::Timeout), turn);
    QCOMPARE(wire::object(answer.body)[QLatin1String("request_id")].toString(),
             QLatin1String("req_0000000000000abc"));
}

// B92
void ErrorAnswerTest::listsModels()
{
    const std::vector<std::string> models{"m", "m[1m]"};
    const Answer anthropic = modelsAnswer(models, {{{"anthropic-version", "2023-06-01"}}}, turn);
    const QJsonObject list = wire::object(anthropic.body);
    const QJsonArray data = list[QLatin1String("data")].toArray();
    QCOMPARE(data.size(), 2);
    QCOMPARE(data[0][QLatin1String("type")].toString(), QLatin1String("model"));
    QCOMPARE(data[0][QLatin1String("id")].toString(), QLatin1String("m"));
    QVERIFY(data[0][QLatin1String("max_input_tokens")].toInt() > 0);
    QCOMPARE(data[1][QLatin1String("max_input_tokens")].toInt(), 1000000);
    QCOMPARE(list[QLatin1String("last_id")].toString(), QLatin1String("m[1m]"));
    const QJsonObject openai = wire::object(modelsAnswer(models, {}, turn).body);
    QCOMPARE(openai[QLatin1String("object")].toString(), QLatin1String("list"));
    QCOMPARE(openai[QLatin1String("data")].toArray()[0][QLatin1String("object")].toString(),
             QLatin1String("model"));
    QVERIFY(
        wire::object(
            modelsAnswer({}, {{{"anthropic-version", "x"}}}, turn).body)[QLatin1String("first_id")]
            .isNull());
    QCOMPARE(wire::object(modelAnswer("m", {}, turn).body)[QLatin1String("id")].toString(),
             QLatin1String("m"));
}

void ErrorAnswerTest::answersACount()
{
    const Answer answer = countAnswer(4711, turn);
    QCOMPARE(answer.status, 200);
    QCOMPARE(wire::object(answer.body)[QLatin1String("input_tokens")].toInt(), 4711);
}

QTEST_APPLESS_MAIN(ErrorAnswerTest)
#include "tst_erroranswer.moc"
