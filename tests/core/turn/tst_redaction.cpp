// SPDX-License-Identifier: GPL-3.0-or-later
// spec/safety.md: known secrets are redacted by value, as are JWT and key shapes.
#include "proxy/core/turn/redaction.h"

#include <QTest>

using headway::turn::recordable;
using headway::turn::Redactor;

class RedactionTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesSecretsOutAndLeavesTheRest_data();
    void takesSecretsOutAndLeavesTheRest();
    void onlyPlainWordsAreRecorded();
};

void RedactionTest::takesSecretsOutAndLeavesTheRest_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("nothing", "plain words", "plain words");
    row("known, in the middle", "key upkey-SECRET3, twice upkey-SECRET3",
        "key [redacted], twice [redacted]");
    row("API key shape", "bad sk-proj-abcdefghijklmnop1234 here", "bad [redacted] here");
    row("too short to be a key", "the sk-shortone stays", "the sk-shortone stays");
    row("JSON web token", "Bearer eyJhbGciOi.eyJzdWIiOj.c2lnbmF0dXJl!", "Bearer [redacted]!");
    row("no token without two dots", "eyJustAName.txt", "eyJustAName.txt");
    row("UTF-8 stays", "π upkey-SECRET3 π", "π [redacted] π");
}

void RedactionTest::takesSecretsOutAndLeavesTheRest()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, expected);
    const Redactor redact({"upkey-SECRET3", "tiny"});
    QCOMPARE(QByteArray::fromStdString(redact(text.toStdString())), expected);
    QCOMPARE(QByteArray::fromStdString(redact("a tiny one")), QByteArray("a tiny one"));
}

void RedactionTest::onlyPlainWordsAreRecorded()
{
    QCOMPARE(recordable("rate_limit_exceeded"), std::string_view("rate_limit_exceeded"));
    QCOMPARE(recordable("gpt-5.5"), std::string_view("gpt-5.5"));
    QCOMPARE(recordable("said: a prompt"), std::string_view());
    QCOMPARE(recordable(std::string(65, 'a')), std::string_view());
}

QTEST_APPLESS_MAIN(RedactionTest)
#include "tst_redaction.moc"
