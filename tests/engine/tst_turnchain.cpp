// SPDX-License-Identifier: GPL-3.0-or-later
// A client's WebSocket chains by response id; the proxy needs the whole conversation again.
#include "proxy/engine/turnchain.h"

#include <QTest>

#include <memory>

using namespace headway;
using dialects::TurnRequest;
using engine::TurnChain;

class TurnChainTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRequestWithoutAnIdIsLeftAlone();
    void theRememberedConversationComesBeforeTheNewItems();
    void whatTheClientSentIsRememberedNotWhatWasShortened();
    void anIdThatIsNotTheLastOneIsRefused();
    void textsOutliveTheTurnsTheyCameFrom();
};

namespace {

TurnRequest request(const std::string &item, const std::string &previous = {})
{
    TurnRequest request;
    auto text = std::make_shared<const std::string>(item);
    request.input.emplace_back(*text);
    request.text = std::move(text);
    request.previousResponseId = previous;
    return request;
}

std::vector<std::string> items(const TurnRequest &request)
{
    return {request.input.begin(), request.input.end()};
}

} // namespace

void TurnChainTest::aRequestWithoutAnIdIsLeftAlone()
{
    const TurnChain chain;
    TurnRequest first = request("\"u1\"");
    QVERIFY(chain.expand(first));
    QCOMPARE(items(first), std::vector<std::string>{"\"u1\""});
}

void TurnChainTest::theRememberedConversationComesBeforeTheNewItems()
{
    TurnChain chain;
    chain.remember("resp_1", request("\"u1\""), {"\"a1\"", "\"call\""});
    TurnRequest second = request("\"out\"", "resp_1");
    QVERIFY(chain.expand(second));
    QCOMPARE(items(second), (std::vector<std::string>{"\"u1\"", "\"a1\"", "\"call\"", "\"out\""}));
    QVERIFY(second.previousResponseId.empty());
}

void TurnChainTest::whatTheClientSentIsRememberedNotWhatWasShortened()
{
    TurnChain chain;
    TurnRequest first = request("\"u1\"");
    first.unshaped = first.input;
    first.input = {"\"short\""};
    chain.remember("resp_1", first, {});
    TurnRequest second = request("\"u2\"", "resp_1");
    QVERIFY(chain.expand(second));
    QCOMPARE(items(second), (std::vector<std::string>{"\"u1\"", "\"u2\""}));
}

void TurnChainTest::anIdThatIsNotTheLastOneIsRefused()
{
    TurnChain chain;
    TurnRequest unknown = request("\"x\"", "resp_9");
    QVERIFY(!chain.expand(unknown));
    chain.remember("resp_1", request("\"u1\""), {});
    chain.remember("resp_2", request("\"u2\""), {});
    TurnRequest old = request("\"x\"", "resp_1");
    QVERIFY(!chain.expand(old));
    QCOMPARE(old.previousResponseId, std::string("resp_1"));
}

void TurnChainTest::textsOutliveTheTurnsTheyCameFrom()
{
    TurnChain chain;
    {
        TurnRequest first = request("\"a long first item that does not fit a small buffer\"");
        chain.remember("resp_1", first, {"\"a long answer that does not fit a small buffer\""});
    }
    TurnRequest second = request("\"second\"", "resp_1");
    QVERIFY(chain.expand(second));
    chain.remember("resp_2", second, {"\"second answer\""});
    second = TurnRequest{};
    TurnRequest third = request("\"third\"", "resp_2");
    QVERIFY(chain.expand(third));
    QCOMPARE(items(third),
             (std::vector<std::string>{"\"a long first item that does not fit a small buffer\"",
                                       "\"a long answer that does not fit a small buffer\"",
                                       "\"second\"", "\"second answer\"", "\"third\""}));
}

QTEST_APPLESS_MAIN(TurnChainTest)
#include "tst_turnchain.moc"
