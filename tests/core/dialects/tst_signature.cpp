// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/signature.h"

#include <QTest>

using namespace headway::dialects;

class SignatureTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesBackAsItWent_data();
    void comesBackAsItWent();
    void refusesForeignSignatures_data();
    void refusesForeignSignatures();
    void splitsTheThinkingOnlyWhenItIsTheSame();
};

void SignatureTest::comesBackAsItWent_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("blob");
    QTest::addColumn<QList<int>>("lengths");
    QTest::addColumn<QByteArray>("idBack");
    const QByteArray id("rs_0-aB");
    QTest::newRow("plain") << id << QByteArray("gAAAAAB==") << QList<int>{3, 0, 12} << id;
    QTest::newRow("no summary") << id << QByteArray("x") << QList<int>{} << id;
    QTest::newRow("no id") << QByteArray() << QByteArray("x") << QList<int>{1} << QByteArray();
    QTest::newRow("dots in the blob") << id << QByteArray("a.b.c") << QList<int>{1} << id;
    QTest::newRow("an id of a strange form")
        << QByteArray("rs.1") << QByteArray("x") << QList<int>{1} << QByteArray();
}

void SignatureTest::comesBackAsItWent()
{
    QFETCH(const QByteArray, id);
    QFETCH(const QByteArray, blob);
    QFETCH(const QList<int>, lengths);
    QFETCH(const QByteArray, idBack);
    CarriedReasoning reasoning;
    reasoning.id = id.toStdString();
    reasoning.encryptedContent = blob.toStdString();
    for (const int length : lengths)
        reasoning.partLengths.push_back(static_cast<std::size_t>(length));
    const auto back = decodeSignature(encodeSignature(reasoning));
    QVERIFY(back);
    reasoning.id = idBack.toStdString();
    QCOMPARE(*back, reasoning);
}

void SignatureTest::refusesForeignSignatures_data()
{
    QTest::addColumn<QByteArray>("signature");
    for (const char *const text :
         {"", "EqQBCgIYAhIM", "hw.v2.rs_1..x", "hw.v1.", "hw.v1.rs_1", "hw.v1.rs_1.1",
          "hw.v1.rs_1..", "hw.v1.rs_1.a.x", "hw.v1.rs_1.1-.x", "hw.v1.rs 1..x",
          "hw.v1.rs_1.99999999999999999999999.x"})
        QTest::newRow(text) << QByteArray(text);
}

void SignatureTest::refusesForeignSignatures()
{
    QFETCH(const QByteArray, signature);
    QVERIFY(!decodeSignature(signature.toStdString()));
}

void SignatureTest::splitsTheThinkingOnlyWhenItIsTheSame()
{
    CarriedReasoning reasoning;
    reasoning.encryptedContent = "x";
    reasoning.partLengths = {4, 1};
    const std::vector<std::string_view> parts{"a\n\nb", "c"};
    QVERIFY(summaryParts(reasoning, "a\n\nb\n\nc") == parts);
    for (const char *const other : {"", "a\n\nb", "a\n\nb\n\ncd", "a\n\nb--c", "a\n\nb\n\n"})
        QVERIFY2(summaryParts(reasoning, other).empty(), other);
}

QTEST_APPLESS_MAIN(SignatureTest)
#include "tst_signature.moc"
