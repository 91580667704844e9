// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/partition.h"

#include <QTest>

using namespace headway::heads;

class PartitionTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameFieldsGiveTheSameKey();
    void eachFieldTellsPartitionsApart_data();
    void eachFieldTellsPartitionsApart();
    void theMainAgentAndASubagentAreApart();
    void aSessionWinsOverACacheKeyAndOverTheSystemText();
    void aCacheKeyWinsOverTheSystemText();
    void theSystemTextServesWhenThereIsNothingElse();
    void nothingToGoByGivesNoKey();
    void bytesCannotMoveBetweenNeighbouringFields_data();
    void bytesCannotMoveBetweenNeighbouringFields();
    void aLengthCannotGrowIntoTheDigitsOfItsField();
    void aSessionIsNotACacheKeyOfTheSameSpelling();
};

namespace {

PartitionInput base()
{
    return {.endpoint = "wss://host/responses",
            .provider = "openai",
            .account = "acct",
            .model = "m",
            .session = "session",
            .agent = "agent",
            .cacheKey = "cache",
            .chain = {},
            .systemAndTools = "be brief"};
}

} // namespace

void PartitionTest::sameFieldsGiveTheSameKey()
{
    QVERIFY(partitionKey(base()).has_value());
    QVERIFY(partitionKey(base()) == partitionKey(base()));
}

void PartitionTest::eachFieldTellsPartitionsApart_data()
{
    QTest::addColumn<int>("field");
    const QByteArrayList names{"endpoint", "provider", "account", "model",
                               "session",  "agent",    "chain"};
    for (int i = 0; i < names.size(); ++i)
        QTest::newRow(names.at(i).constData()) << i;
}

void PartitionTest::eachFieldTellsPartitionsApart()
{
    QFETCH(const int, field);
    PartitionInput other = base();
    std::string_view *const fields[]
        = {&other.endpoint, &other.provider, &other.account, &other.model,
           &other.session,  &other.agent,    &other.chain};
    *fields[field] = "other";
    QVERIFY(partitionKey(other).has_value());
    QVERIFY(partitionKey(other) != partitionKey(base()));
}

void PartitionTest::theMainAgentAndASubagentAreApart()
{
    PartitionInput main = base();
    main.agent = {};
    QVERIFY(partitionKey(main).has_value());
    QVERIFY(partitionKey(main) != partitionKey(base()));
}

void PartitionTest::aSessionWinsOverACacheKeyAndOverTheSystemText()
{
    PartitionInput other = base();
    other.cacheKey = "other";
    other.systemAndTools = "be long";
    QVERIFY(partitionKey(other) == partitionKey(base()));
}

void PartitionTest::aCacheKeyWinsOverTheSystemText()
{
    PartitionInput input = base();
    input.session = {};
    PartitionInput otherText = input;
    otherText.systemAndTools = "be long";
    PartitionInput otherKey = input;
    otherKey.cacheKey = "other";
    QVERIFY(partitionKey(input).has_value());
    QVERIFY(partitionKey(otherText) == partitionKey(input));
    QVERIFY(partitionKey(otherKey) != partitionKey(input));
}

void PartitionTest::theSystemTextServesWhenThereIsNothingElse()
{
    PartitionInput input = base();
    input.session = {};
    input.cacheKey = {};
    PartitionInput other = input;
    other.systemAndTools = "be long";
    QVERIFY(partitionKey(input).has_value());
    QVERIFY(partitionKey(input) == partitionKey(input));
    QVERIFY(partitionKey(other) != partitionKey(input));
}

void PartitionTest::nothingToGoByGivesNoKey()
{
    PartitionInput input = base();
    input.session = {};
    input.cacheKey = {};
    input.systemAndTools = {};
    QVERIFY(!partitionKey(input).has_value());
}

void PartitionTest::bytesCannotMoveBetweenNeighbouringFields_data()
{
    using Text = QByteArray;
    QTest::addColumn<Text>("account");
    QTest::addColumn<Text>("model");
    QTest::addColumn<Text>("otherAccount");
    QTest::addColumn<Text>("otherModel");
    QTest::newRow("plain") << Text("ab") << Text("c") << Text("a") << Text("bc");
    QTest::newRow("unit separator") << Text("a\x1f") << Text("b") << Text("a")
                                    << Text("\x1f"
                                            "b");
    QTest::newRow("NUL") << Text("a\0", 2) << Text("b") << Text("a") << Text("\0b", 2);
    QTest::newRow("a length inside") << Text("a1:b") << Text("") << Text("a") << Text("1:b");
    QTest::newRow("one empty") << Text("x") << Text("") << Text("") << Text("x");
}

void PartitionTest::bytesCannotMoveBetweenNeighbouringFields()
{
    QFETCH(const QByteArray, account);
    QFETCH(const QByteArray, model);
    QFETCH(const QByteArray, otherAccount);
    QFETCH(const QByteArray, otherModel);
    const auto key = [](const QByteArray &accountId, const QByteArray &modelId) {
        const auto view = [](const QByteArray &bytes) {
            return std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        };
        PartitionInput input = base();
        input.account = view(accountId);
        input.model = view(modelId);
        return partitionKey(input);
    };
    QVERIFY(key(account, model) != key(otherAccount, otherModel));
}

// Both would read 11 0 12 xxxxxxxx 1a 1b if lengths and bytes simply followed each other.
void PartitionTest::aLengthCannotGrowIntoTheDigitsOfItsField()
{
    PartitionInput one = base();
    one.account = "1";
    one.model = "";
    one.agent = "xxxxxxxx1a1b";
    PartitionInput other = base();
    other.account = "012xxxxxxxx";
    other.model = "a";
    other.agent = "b";
    QVERIFY(partitionKey(one) != partitionKey(other));
}

void PartitionTest::aSessionIsNotACacheKeyOfTheSameSpelling()
{
    PartitionInput session = base();
    session.session = "same";
    PartitionInput cache = base();
    cache.session = {};
    cache.cacheKey = "same";
    QVERIFY(partitionKey(session) != partitionKey(cache));
}

QTEST_APPLESS_MAIN(PartitionTest)
#include "tst_partition.moc"
