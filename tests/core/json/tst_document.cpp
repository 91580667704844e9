// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/document.h"
#include "proxy/core/json/literal.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway::json;

class DocumentTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheEndOfAStringAtEveryDistance();
    void refusesAControlAtEveryDistance();
    void comparesEscapedTextWithPlain();
    void slicesValuesAsTheyWereWritten();
    void findsTheLastOfTwoMembersOfOneName();
    void findsMembersWhoseNameIsEscaped();
    void answersEmptyForWhatIsMissing();
    void namesTheByteOfAFault_data();
    void namesTheByteOfAFault();
    void agreesWithAnotherParserOnWhatIsJson_data();
    void agreesWithAnotherParserOnWhatIsJson();
    void allowsDepth512AndNoMore();
    void isEmptyAfterAFault();
    void decodesBodies_data();
    void decodesBodies();
    void joinsASurrogatePairSplitBetweenPieces();
};

void DocumentTest::slicesValuesAsTheyWereWritten()
{
    Document document;
    const std::string text = R"( { "n" : 1.50e+01 , "big":123456789012345678901234567890,)"
                             R"("s":"a\u0041\n","o":{ "x" : [ ] },"a":[1, 2 ,3]} )";
    QVERIFY(!document.read(text));
    const Value root = document.root();
    QCOMPARE(root["n"].raw(), std::string_view("1.50e+01"));
    QCOMPARE(root["big"].raw(), std::string_view("123456789012345678901234567890"));
    QVERIFY(!root["big"].integer());
    QCOMPARE(root["s"].raw(), std::string_view(R"("a\u0041\n")"));
    QCOMPARE(root["s"].text(), std::string("aA\n"));
    QCOMPARE(root["o"].raw(), std::string_view("{ \"x\" : [ ] }"));
    QCOMPARE(root["a"].raw(), std::string_view("[1, 2 ,3]"));
    int sum = 0;
    for (const Value &element : root["a"])
        sum += static_cast<int>(element.integer().value_or(0));
    QCOMPARE(sum, 6);
}

void DocumentTest::findsTheLastOfTwoMembersOfOneName()
{
    Document document;
    const std::string text = R"({"a":1,"b":{"a":5},"a":2})";
    QVERIFY(!document.read(text));
    QCOMPARE(document.root()["a"].integer().value_or(0), std::int64_t{2});
}

void DocumentTest::findsMembersWhoseNameIsEscaped()
{
    Document document;
    const std::string text = R"({"mod\u0065l":"x"})";
    QVERIFY(!document.read(text));
    QVERIFY(document.root()["model"].is("x"));
}

void DocumentTest::answersEmptyForWhatIsMissing()
{
    Document document;
    const std::string text = R"({"a":[]})";
    QVERIFY(!document.read(text));
    const Value missing = document.root()["no"]["deeper"];
    QVERIFY(!missing.exists());
    QCOMPARE(missing.kind(), Kind::Missing);
    QVERIFY(missing.raw().empty() && missing.text().empty());
    QVERIFY(!missing.first().exists() && !missing.next().exists());
    for (const Value &element : document.root()["a"])
        QFAIL(std::string(element.raw()).c_str());
    for (const Value &element : missing)
        QFAIL(std::string(element.raw()).c_str());
}

void DocumentTest::namesTheByteOfAFault_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qulonglong>("offset");
    const auto row = [](const char *name, const QByteArray &text, qulonglong offset) {
        QTest::newRow(name) << text << offset;
    };
    row("empty", "", 0);
    row("cut in an object", R"({"a":1)", 6);
    row("two commas", "[1,,2]", 3);
    row("comma at the end", "[1,]", 3);
    row("comma at the end of an object", R"({"a":1,})", 7);
    row("more behind", "{} x", 3);
    row("unquoted name", "{a:1}", 1);
    row("no colon", R"({"a" 1})", 5);
    row("wrong bracket", R"({"a":[1}})", 7);
    row("control character", QByteArray("[\"a\nb\"]"), 3);
    row("NUL", QByteArray("[\"a\0b\"]", 7), 3);
    row("unknown escape", R"(["a\x"])", 3);
    row("short \\u", R"(["a\u12"])", 3);
    row("string not closed", R"(["abc)", 5);
    row("word", "[tru]", 1);
    row("leading zero", "[01]", 2);
    row("bare minus", "[-]", 2);
    row("fraction without digits", "[1.]", 3);
    row("exponent without digits", "[1e+]", 4);
    row("NaN", "[NaN]", 1);
    row("bare fraction", "[.5]", 1);
    row("plus", "[+1]", 1);
    row("continuation byte", QByteArray("[\"a\x80\"]"), 3);
    row("overlong", QByteArray("[\"\xC0\xAF\"]"), 2);
    row("surrogate in UTF-8", QByteArray("[\"\xED\xA0\x80\"]"), 2);
    row("beyond Unicode", QByteArray("[\"\xF4\x90\x80\x80\"]"), 2);
    row("cut sequence", QByteArray("[\"\xE2\x82\"]"), 2);
}

void DocumentTest::namesTheByteOfAFault()
{
    QFETCH(const QByteArray, text);
    QFETCH(const qulonglong, offset);
    Document document;
    const std::string bytes = text.toStdString();
    const auto fault = document.read(bytes);
    QVERIFY(fault);
    QVERIFY(!fault->what.empty());
    QCOMPARE(static_cast<qulonglong>(fault->offset), offset);
}

void DocumentTest::agreesWithAnotherParserOnWhatIsJson_data()
{
    QTest::addColumn<QByteArray>("text");
    const QList<QByteArray> texts{R"({"a":[1,-2.5e-3,true,false,null,"\"\\\/\b\f\n\r\té"]})",
                                  "[]",
                                  "[[[]]]",
                                  "{\"\":0}",
                                  "[0,-0,1E5]",
                                  "[\"\xF0\x9F\x98\x80\"]",
                                  "[1 2]",
                                  "{\"a\":}",
                                  "{\"a\":1 \"b\":2}",
                                  "[+1]",
                                  "]",
                                  "{\"a\""};
    for (const QByteArray &text : texts)
        QTest::newRow(text.constData()) << text;
}

void DocumentTest::agreesWithAnotherParserOnWhatIsJson()
{
    QFETCH(const QByteArray, text);
    QJsonParseError error;
    QJsonDocument::fromJson(text, &error);
    Document document;
    const std::string bytes = text.toStdString();
    QCOMPARE(!document.read(bytes), error.error == QJsonParseError::NoError);
}

void DocumentTest::allowsDepth512AndNoMore()
{
    Document document;
    const std::string fits = std::string(512, '[') + std::string(512, ']');
    QVERIFY(!document.read(fits));
    const std::string deep = std::string(513, '[') + std::string(513, ']');
    const auto fault = document.read(deep);
    QVERIFY(fault);
    QCOMPARE(fault->offset, std::size_t{512});
    std::string objects;
    for (int i = 0; i < 512; ++i)
        objects += R"({"a":)";
    QVERIFY(!document.read(objects + "1" + std::string(512, '}')));
    QVERIFY(document.read(R"({"a":)" + objects + "1" + std::string(513, '}')));
}

void DocumentTest::isEmptyAfterAFault()
{
    Document document;
    const std::string good = R"({"a":1})";
    const std::string bad = R"({"a":)";
    QVERIFY(!document.read(good));
    QVERIFY(document.read(bad));
    QVERIFY(!document.root().exists());
}

void DocumentTest::decodesBodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << QByteArray("abc") << QByteArray("abc");
    QTest::newRow("simple") << QByteArray(R"(\"\\\/\b\f\n\r\t)") << QByteArray("\"\\/\b\f\n\r\t");
    QTest::newRow("two bytes") << QByteArray(R"(\u00e9)") << QByteArray("\xC3\xA9");
    QTest::newRow("three bytes") << QByteArray(R"(\u20AC)") << QByteArray("\xE2\x82\xAC");
    QTest::newRow("pair") << QByteArray(R"(\ud83d\ude00)") << QByteArray("\xF0\x9F\x98\x80");
    QTest::newRow("lone high") << QByteArray(R"(a\ud83dz)") << QByteArray("a\xEF\xBF\xBDz");
    QTest::newRow("lone high at the end")
        << QByteArray(R"(a\ud83d)") << QByteArray("a\xEF\xBF\xBD");
    QTest::newRow("lone low") << QByteArray(R"(\ude00)") << QByteArray("\xEF\xBF\xBD");
    QTest::newRow("two high") << QByteArray(R"(\ud83d\ud83d\ude00)")
                              << QByteArray("\xEF\xBF\xBD\xF0\x9F\x98\x80");
}

void DocumentTest::decodesBodies()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(unescaped(body.toStdString())), text);
}

void DocumentTest::joinsASurrogatePairSplitBetweenPieces()
{
    BodyDecoder decoder;
    std::string out;
    decoder.append(out, R"(a\ud83d)");
    QCOMPARE(out, std::string("a"));
    decoder.append(out, R"(\ude00b)");
    decoder.finish(out);
    QCOMPARE(out,
             std::string("a\xF0\x9F\x98\x80"
                         "b"));
}

// Strings are read in blocks; the fault or the end may stand anywhere in one.
void DocumentTest::findsTheEndOfAStringAtEveryDistance()
{
    for (std::size_t before = 0; before <= 70; ++before) {
        for (const std::string_view special :
             {"", "\\n", "\\\"", "\\u00e4", " ", "\x7f", "\xc3\xa4"}) {
            const std::string body = std::string(before, 'x') + std::string(special);
            const std::string text = "[\"" + body + "\",\"" + body + "y\"]";
            headway::json::Document document;
            QVERIFY2(!document.read(text), text.c_str());
            QCOMPARE(document.root().first().body(), std::string_view(body));
            QCOMPARE(document.root().first().next().body(), std::string_view(body + "y"));
        }
    }
}

void DocumentTest::refusesAControlAtEveryDistance()
{
    for (std::size_t before = 0; before <= 70; ++before) {
        for (const char control : {'\x01', '\n', '\x1f'}) {
            const std::string text
                = '"' + std::string(before, 'x') + control + std::string(40, 'y') + '"';
            headway::json::Document document;
            const auto fault = document.read(text);
            QVERIFY2(fault, text.c_str());
            QCOMPARE(fault->offset, before + 1);
        }
    }
}

void DocumentTest::comparesEscapedTextWithPlain()
{
    headway::json::Document document;
    QVERIFY(!document.read(
        R"({"a":"\u006d\u006f\u0064","b":"mod","c":"m\/d","d":"\u0000","e":"modx"})"));
    const auto root = document.root();
    QVERIFY(root["a"].is("mod"));
    QVERIFY(root["b"].is("mod"));
    QVERIFY(root["c"].is("m/d"));
    QVERIFY(root["d"].is(std::string_view("\0", 1)));
    QVERIFY(!root["e"].is("mod"));
    QVERIFY(!root["a"].is("moe"));
    QVERIFY(!root["b"].is(""));
    QVERIFY(!root["b"].is("mode"));
}

QTEST_APPLESS_MAIN(DocumentTest)
#include "tst_document.moc"
