// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/modeltable.h"
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

// Routing by model (spec/cli.md, "Upstreams") and the window a client is told of.
class ModelTableTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void routes_data();
    void routes();
    void refusesWithTheList();
    void namesTheSettingThatAClaudeNameLacks();
    void listsWhatClientsMayUse();
    void completesAnOverflow_data();
    void completesAnOverflow();
};

void ModelTableTest::routes_data()
{
    QTest::addColumn<QStringList>("entries");
    QTest::addColumn<bool>("anyName");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("upstream"); // empty: refused
    const auto row = [](const char *title, const QStringList &entries, bool anyName,
                        const char *asked, const char *upstream) {
        QTest::newRow(title) << entries << anyName << QString::fromUtf8(asked)
                             << QString::fromUtf8(upstream);
    };
    const QStringList table{QStringLiteral("gpt-5.5"),
                            QStringLiteral(" sonnet = gpt-6.2-sol "),
                            QStringLiteral("claude-opus-5-5=gpt-6.2-sol"),
                            QStringLiteral("big[1m]=gpt-long"),
                            QStringLiteral("="),
                            QStringLiteral("")};
    row("no table", {}, false, "gpt-5.5", "gpt-5.5");
    row("no table, large window", {}, false, "gpt-5.5[1m]", "gpt-5.5");
    row("no table, Anthropic's", {}, false, "claude-sonnet-5-5", "");
    row("simulated, Anthropic's", {}, true, "claude-sonnet-5-5", "claude-sonnet-5-5");
    row("listed", table, false, "gpt-5.5", "gpt-5.5");
    row("listed, large window", table, false, "gpt-5.5[1m]", "gpt-5.5");
    row("alias", table, false, "sonnet", "gpt-6.2-sol");
    row("alias, large window", table, false, "sonnet[1m]", "gpt-6.2-sol");
    row("alias of a claude name", table, false, "claude-opus-5-5", "gpt-6.2-sol");
    row("alias with the mark", table, false, "big[1m]", "gpt-long");
    row("not listed", table, false, "gpt-4", "");
    row("not listed, Anthropic's", table, false, "claude-haiku-5-5", "");
    row("simulated, not listed", table, true, "gpt-4", "gpt-4");
    row("simulated, alias", table, true, "sonnet", "gpt-6.2-sol");
}

void ModelTableTest::routes()
{
    QFETCH(const QStringList, entries);
    QFETCH(const bool, anyName);
    QFETCH(const QString, asked);
    QFETCH(const QString, upstream);
    std::vector<std::string> list;
    for (const QString &entry : entries)
        list.push_back(entry.toStdString());
    const auto routed = ModelTable(list, anyName).route(asked.toStdString());
    QCOMPARE(routed.has_value(), !upstream.isEmpty());
    if (routed)
        QCOMPARE(QString::fromStdString(*routed), upstream);
    else
        QCOMPARE(routed.error().kind, ErrorKind::NotFound);
}

void ModelTableTest::refusesWithTheList()
{
    const auto routed = ModelTable({"gpt-5.5", "sonnet=gpt-6"}).route("gpt-4");
    QVERIFY(!routed);
    QCOMPARE(routed.error().message,
             std::string("There is no model gpt-4 in the setting models; known: gpt-5.5 sonnet."));
    const Answer answer = errorAnswer(Door::Messages, routed.error(), base::TurnId(1));
    QCOMPARE(answer.status, 404);
    QVERIFY(answer.body.find("known: gpt-5.5 sonnet.") != std::string::npos);
}

void ModelTableTest::namesTheSettingThatAClaudeNameLacks()
{
    const auto routed = ModelTable().route("claude-sonnet-5-5");
    QVERIFY(!routed);
    QVERIFY(routed.error().message.find("ANTHROPIC_MODEL") != std::string::npos);
    QVERIFY(routed.error().message.find("setting models (claude-sonnet-5-5=MODEL)")
            != std::string::npos);
}

void ModelTableTest::listsWhatClientsMayUse()
{
    QCOMPARE(ModelTable({"gpt-5.5", "sonnet=gpt-6"}).names(),
             (std::vector<std::string>{"gpt-5.5", "sonnet"}));
    QVERIFY(ModelTable().names().empty());
}

void ModelTableTest::completesAnOverflow_data()
{
    QTest::addColumn<int>("estimate");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::newRow("beyond the stated window")
        << 250'000 << QStringLiteral("m")
        << QStringLiteral("prompt is too long: 250000 tokens > 200000 maximum");
    QTest::newRow("within it: the model's is smaller")
        << 120'000 << QStringLiteral("m")
        << QStringLiteral("prompt is too long: 120000 tokens > 119999 maximum");
    QTest::newRow("large window") << 1'100'000 << QStringLiteral("m[1m]")
                                  << QStringLiteral(
                                         "prompt is too long: 1100000 tokens > 1000000 maximum");
    QTest::newRow("nothing to go by")
        << 0 << QStringLiteral("m") << QStringLiteral("prompt is too long: 2 tokens > 1 maximum");
}

// B81: the form that Claude Code compacts on needs two numbers.
void ModelTableTest::completesAnOverflow()
{
    QFETCH(const int, estimate);
    QFETCH(const QString, model);
    QFETCH(const QString, text);
    TurnError error;
    error.kind = ErrorKind::ContextOverflow;
    error.message = "too much";
    completeOverflow(error, static_cast<std::uint64_t>(estimate), model.toStdString());
    const Answer answer = errorAnswer(Door::Messages, error, base::TurnId(1));
    QCOMPARE(answer.status, 400);
    QCOMPARE(wire::object(answer.body)[QLatin1String("error")][QLatin1String("message")].toString(),
             text);
    // What the provider said stays.
    error.tokens = 300;
    error.maximumTokens = 200;
    completeOverflow(error, 7, "m");
    QCOMPARE(error.maximumTokens, std::optional<std::uint64_t>(200));
    // And nothing is made up for another error.
    TurnError other;
    completeOverflow(other, 7, "m");
    QVERIFY(!other.tokens);
}

QTEST_APPLESS_MAIN(ModelTableTest)
#include "tst_modeltable.moc"
