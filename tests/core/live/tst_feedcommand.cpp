// SPDX-License-Identifier: GPL-3.0-or-later
// Commands over the feed: their texts, both ways, and what is not one.
#include "proxy/core/live/command.h"

#include <QTest>

using namespace headway;

class FeedCommandTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCommandHasItsText_data();
    void everyCommandHasItsText();
    void furtherMembersAreIgnored();
    void whatIsNoCommandIsSaid_data();
    void whatIsNoCommandIsSaid();
};

namespace {

struct Sample
{
    live::Command command;
    const char *text;
};

const Sample samples[]{
    {live::ChangeSetting{"rate_per_min", "40"},
     R"({"do":"change_setting","key":"rate_per_min","value":"40"})"},
    {live::ChangeSetting{"models", ""}, R"({"do":"change_setting","key":"models","value":""})"},
    {live::EvictHead{base::ConnectionId{3}, 0}, R"({"do":"evict","connection":3,"head":0})"},
    {live::PinConnection{base::ConnectionId{4}, true}, R"({"do":"pin","connection":4,"on":true})"},
    {live::PauseAll{false}, R"({"do":"pause","on":false})"},
    {live::PassThrough{true}, R"({"do":"pass_through","on":true})"},
    {live::HoldSession{"0123456789ab", true},
     R"({"do":"hold","session":"0123456789ab","on":true})"},
    {live::MoveToFront{base::TurnId{255}},
     R"({"do":"move_to_front","turn":"req_00000000000000ff"})"},
    {live::CancelTurn{base::TurnId{1}}, R"({"do":"cancel","turn":"req_0000000000000001"})"},
};

} // namespace

void FeedCommandTest::everyCommandHasItsText_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(samples)); ++i)
        QTest::newRow(samples[i].text) << i;
}

void FeedCommandTest::everyCommandHasItsText()
{
    QFETCH(int, index);
    const Sample &sample = samples[index];
    QCOMPARE(live::writeCommand(sample.command), std::string(sample.text));
    QVERIFY(live::readCommand(sample.text) == sample.command);
}

void FeedCommandTest::furtherMembersAreIgnored()
{
    const auto read = live::readCommand(R"( {"on":true,"id":7,"do":"pause"} )");
    QVERIFY(read == live::Command(live::PauseAll{true}));
}

void FeedCommandTest::whatIsNoCommandIsSaid_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const QByteArray &text, const char *error) {
        QTest::newRow(text.left(60).constData()) << text << QByteArray(error);
    };
    row("go faster", "the command is no JSON");
    row("{}", "the command does not say what to do");
    row("[]", "the command does not say what to do");
    row(R"({"do":"drain"})", "there is no command \"drain\"");
    row(R"({"do":"pause"})", "the message lacks \"on\"");
    row(R"({"do":"pause","on":"yes"})", "on is neither true nor false");
    row(R"({"do":"cancel","turn":17})", "turn is not the id of a turn");
    row(R"({"do":"evict","connection":-1,"head":0})", "connection is not a whole number");
    row(R"({"do":"change_setting","key":"burst","value":5})", "value is not a text");
    row(QByteArray(70'000, ' '), "the command is longer than 64 KiB");
}

void FeedCommandTest::whatIsNoCommandIsSaid()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const auto read = live::readCommand(text.toStdString());
    QVERIFY(!read);
    QVERIFY2(QByteArray::fromStdString(read.error()).startsWith(error), read.error().c_str());
}

QTEST_GUILESS_MAIN(FeedCommandTest)
#include "tst_feedcommand.moc"
