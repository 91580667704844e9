// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QStringList>
#include <QTest>

#include <initializer_list>
#include <memory>
#include <string_view>

namespace headway::tests {

// A proxy in front of a provider whose every word the test decides; the agents of one session.
struct LaneStage
{
    explicit LaneStage(std::string_view lanes = "auto")
        : proxy(peer.url())
    {
        proxy.set(settings::Key::Lanes, lanes);
    }

    std::unique_ptr<HttpCall> say(const QList<QByteArray> &texts, const QByteArray &agent)
    {
        return proxy.post("/v1/messages", messagesBody(texts), "session", agent);
    }
    [[nodiscard]] const ScriptedProvider::Create &create(qsizetype index) const
    {
        return peer.creates().at(index);
    }
    [[nodiscard]] qsizetype creates() const { return peer.creates().size(); }
    [[nodiscard]] std::size_t inFlight() { return proxy.engine().turnsInFlight(); }

    // Starts the proxy and plays a whole turn, which finds out that there are lanes.
    void learn()
    {
        proxy.start();
        const auto first = say({"probe"}, "prober");
        QTRY_COMPARE(creates(), 1);
        peer.answer(create(0), QStringLiteral("yes"));
        QTRY_VERIFY(first->isComplete());
    }
    void refuse(const ScriptedProvider::Create &create, const char *code, const char *param = "")
    {
        peer.refuse(create,
                    {{QStringLiteral("type"), QStringLiteral("invalid_request_error")},
                     {QStringLiteral("code"), QLatin1String(code)},
                     {QStringLiteral("message"),
                      QString(u"Unknown parameter: '" + QString(QLatin1String(param)) + u"'.")},
                     {QStringLiteral("param"), QLatin1String(param)}});
    }

    ScriptedProvider peer;
    ProxyFixture proxy;
};

[[nodiscard]] inline QStringList list(std::initializer_list<const char *> words)
{
    QStringList texts;
    for (const char *const word : words)
        texts.append(QLatin1String(word));
    return texts;
}

[[nodiscard]] inline bool endedWell(const HttpCall &call)
{
    return call.isComplete() && call.status() == 200 && call.events().last() == "message_stop";
}

} // namespace headway::tests
