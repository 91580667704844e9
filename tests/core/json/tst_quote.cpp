// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/quote.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using headway::json::literal;

class QuoteTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesTheLiteralForm_data();
    void writesTheLiteralForm();
    void isReadBackByAnotherParserForEveryByteBelow128();
};

void QuoteTest::writesTheLiteralForm_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("empty") << QByteArray("") << QByteArray("\"\"");
    QTest::newRow("plain") << QByteArray("abc") << QByteArray("\"abc\"");
    QTest::newRow("quote and backslash") << QByteArray("a\"b\\c") << QByteArray("\"a\\\"b\\\\c\"");
    QTest::newRow("controls") << QByteArray("\n\r\t\b\f\x01\x1f", 7)
                              << QByteArray("\"\\n\\r\\t\\b\\f\\u0001\\u001f\"");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("\"a\\u0000b\"");
    QTest::newRow("UTF-8 passes") << QByteArray("π/é") << QByteArray("\"π/é\"");
}

void QuoteTest::writesTheLiteralForm()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(literal(text.toStdString())), expected);
}

void QuoteTest::isReadBackByAnotherParserForEveryByteBelow128()
{
    std::string text;
    for (char c = 1; c != 127; ++c)
        text += c;
    const QByteArray document = '[' + QByteArray::fromStdString(literal(text)) + ']';
    QCOMPARE(QJsonDocument::fromJson(document).array().at(0).toString().toUtf8(),
             QByteArray::fromStdString(text));
}

QTEST_APPLESS_MAIN(QuoteTest)
#include "tst_quote.moc"
