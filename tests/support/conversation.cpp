// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/conversation.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace headway::tests {

namespace {

QString replyText(const QByteArray &stream)
{
    QString text;
    for (const QByteArray &line : stream.split('\n')) {
        if (!line.startsWith("data: "))
            continue;
        const QJsonObject delta = QJsonDocument::fromJson(line.mid(6))
                                      .object()
                                      .value(QLatin1String("delta"))
                                      .toObject();
        text += delta.value(QLatin1String("text")).toString();
    }
    return text;
}

QJsonObject message(const QString &role, const QString &text)
{
    return {{QStringLiteral("role"), role}, {QStringLiteral("content"), text}};
}

} // namespace

std::unique_ptr<HttpCall> Conversation::begin(const QString &text)
{
    m_messages.append(message(QStringLiteral("user"), text));
    return again();
}

std::unique_ptr<HttpCall> Conversation::again() const
{
    const QJsonObject body{{QStringLiteral("model"), QStringLiteral("test-model")},
                           {QStringLiteral("max_tokens"), 100},
                           {QStringLiteral("stream"), true},
                           {QStringLiteral("messages"), m_messages}};
    return m_proxy.post("/v1/messages", QJsonDocument(body).toJson(QJsonDocument::Compact),
                        m_session, m_agent);
}

bool Conversation::take(const HttpCall &call)
{
    m_lastStatus = call.status();
    if (call.status() != 200 || call.events().isEmpty() || call.events().last() != "message_stop")
        return false;
    m_lastReply = replyText(call.body());
    m_messages.append(message(QStringLiteral("assistant"), m_lastReply));
    return true;
}

bool Conversation::say(const QString &text)
{
    const auto call = begin(text);
    return QTest::qWaitFor([&] { return call->isComplete() || call->isClosed(); }, 20'000)
        && take(*call);
}

simulator::Scenario answering(const QStringList &texts)
{
    simulator::Scenario scenario;
    scenario.connect = {base::Milliseconds{0}, base::Milliseconds{0}};
    scenario.firstToken = {base::Milliseconds{0}, base::Milliseconds{0}};
    scenario.turn = {base::Milliseconds{0}, base::Milliseconds{0}};
    for (int i = 0; i < 32; ++i) {
        const QString &text = texts.at(std::min<qsizetype>(i, texts.size() - 1));
        scenario.replies.push_back({.kind = simulator::Reply::Kind::Text,
                                    .input = QJsonObject{{QStringLiteral("text"), text}}});
    }
    return scenario;
}

} // namespace headway::tests
