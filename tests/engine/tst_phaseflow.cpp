// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation whose chain is lost goes up in full, each text of the assistant with the phase
// that it had (table 5.1): models do worse without.
#include "tests/support/proxyfixture.h"
#include "tests/support/scriptedprovider.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace headway;
using tests::HttpCall;
using tests::ProxyFixture;
using tests::ScriptedProvider;

class PhaseFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasSaidKeepsItsPhaseWhenTheChainIsLost();
};

namespace {

QJsonObject message(const char *role, const char *text)
{
    return {{QStringLiteral("role"), QLatin1String(role)},
            {QStringLiteral("content"), QLatin1String(text)}};
}

void answer(ScriptedProvider &peer, const ScriptedProvider::Create &create)
{
    peer.created(create);
    peer.send(create.socket,
              QJsonDocument::fromJson(
                  R"({"type":"response.output_item.done","output_index":0,"item":{"type":"message",
                      "id":"msg_1","role":"assistant","status":"completed","phase":"final_answer",
                      "content":[{"type":"output_text","text":"done","annotations":[]}]}})")
                  .object());
    peer.send(create.socket,
              {{QStringLiteral("type"), QStringLiteral("response.completed")},
               {QStringLiteral("response"),
                QJsonObject{{QStringLiteral("id"), create.id()},
                            {QStringLiteral("status"), QStringLiteral("completed")},
                            {QStringLiteral("output"), QJsonArray()}}}});
}

std::unique_ptr<HttpCall> ask(ProxyFixture &proxy, const QJsonArray &messages)
{
    const QJsonObject body{{QStringLiteral("model"), QStringLiteral("gpt-5.6")},
                           {QStringLiteral("max_tokens"), 900},
                           {QStringLiteral("stream"), true},
                           {QStringLiteral("messages"), messages}};
    return proxy.post("/v1/messages", QJsonDocument(body).toJson(), "s");
}

} // namespace

void PhaseFlowTest::whatWasSaidKeepsItsPhaseWhenTheChainIsLost()
{
    ScriptedProvider peer;
    peer.echoes = false;
    ProxyFixture proxy(peer.url());
    proxy.set(settings::Key::Lanes, "off");
    proxy.start();

    const auto first = ask(proxy, {message("user", "hi")});
    QTRY_COMPARE(peer.creates().size(), qsizetype{1});
    answer(peer, peer.creates().at(0));
    QTRY_VERIFY(first->isComplete());

    const auto second = ask(
        proxy, {message("user", "hi"), message("assistant", "done"), message("user", "go on")});
    QTRY_COMPARE(peer.creates().size(), qsizetype{2});
    QCOMPARE(peer.creates().at(1).parent(), peer.creates().at(0).id());
    QCOMPARE(peer.creates().at(1).frame[QLatin1String("input")].toArray().size(), 1);
    peer.refuse(peer.creates().at(1),
                {{QStringLiteral("type"), QStringLiteral("invalid_request_error")},
                 {QStringLiteral("code"), QStringLiteral("previous_response_not_found")},
                 {QStringLiteral("message"), QStringLiteral("gone")}},
                false);

    QTRY_COMPARE(peer.creates().size(), qsizetype{3});
    QCOMPARE(peer.creates().at(2).parent(), QString());
    const QJsonArray input = peer.creates().at(2).frame[QLatin1String("input")].toArray();
    QCOMPARE(input.size(), 3);
    QVERIFY(!input.at(0).toObject().contains(QLatin1String("phase")));
    QCOMPARE(input.at(1)[QLatin1String("phase")].toString(), QStringLiteral("final_answer"));
    QVERIFY(!input.at(2).toObject().contains(QLatin1String("phase")));
    answer(peer, peer.creates().at(2));
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 200);
}

QTEST_GUILESS_MAIN(PhaseFlowTest)
#include "tst_phaseflow.moc"
