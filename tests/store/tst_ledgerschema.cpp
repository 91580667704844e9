// SPDX-License-Identifier: GPL-3.0-or-later
// What `ledger export --format jsonl` writes is what resources/docs/ledger.schema.json promises.
#include "proxy/core/ledger/columns.h"
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerexport.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"
#include "tests/support/jsonschema.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using ledger::Record;
using tests::JsonSchema;

class LedgerSchemaTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyKindIsValid();
    void theExtremesAreValid();
    void recordsOfAnOlderLedgerAreValid();
    void aBrokenLineIsNot_data();
    void aBrokenLineIsNot();
    void nameEveryKindAndColumnAndNoOther();

private:
    QByteArray exported(const std::vector<Record> &records, const QStringList &changes = {}) const;
    void verifyLines(const QByteArray &lines, qsizetype count) const;

    QJsonObject m_schema;
    std::optional<JsonSchema> m_checker;
};

void LedgerSchemaTest::initTestCase()
{
    QFile file(QStringLiteral(HEADWAY_SOURCE_DIR "/resources/docs/ledger.schema.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    m_schema = QJsonDocument::fromJson(text).object();
    m_checker.emplace(text);
}

// `changes`: statements that make the database what an older program would have left.
QByteArray LedgerSchemaTest::exported(const std::vector<Record> &records,
                                      const QStringList &changes) const
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ledger.sqlite"));
    {
        auto database = store::LedgerDatabase::open(path);
        if (!database || !database->write(records))
            qFatal("the ledger cannot be written");
    }
    for (const QString &statement : changes)
        testsupport::value(path, statement);
    const QString out = folder.filePath(QStringLiteral("ledger.jsonl"));
    const auto result = store::exportLedger({.path = path, .out = out});
    QFile file(out);
    if (!result || !file.open(QIODevice::ReadOnly))
        qFatal("the ledger cannot be exported");
    return file.readAll();
}

void LedgerSchemaTest::verifyLines(const QByteArray &lines, qsizetype count) const
{
    QList<QByteArray> each = lines.split('\n');
    QCOMPARE(each.takeLast(), QByteArray());
    QCOMPARE(each.size(), count);
    for (const QByteArray &line : each) {
        const QStringList wrong = m_checker->violations(line);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString(wrong.join(u'\n') + QString::fromUtf8(line))));
    }
}

void LedgerSchemaTest::everyKindIsValid()
{
    verifyLines(exported(samples::everyKind()),
                static_cast<qsizetype>(std::variant_size_v<ledger::Body>));
}

void LedgerSchemaTest::theExtremesAreValid()
{
    std::vector<Record> records = samples::extremes();
    for (Record &record : records) { // which leave out the words that the specification lists
        if (auto *turn = std::get_if<ledger::TurnEnded>(&record.body))
            turn->end = "completed";
        else if (auto *connection = std::get_if<ledger::Connection>(&record.body))
            connection->event = "closed";
        else if (auto *process = std::get_if<ledger::Process>(&record.body))
            process->event = "stopped";
        else if (auto *ceiling = std::get_if<ledger::CeilingChanged>(&record.body))
            ceiling->oldShape = ceiling->shape = "unknown";
        else if (auto *budget = std::get_if<ledger::TokenBudget>(&record.body))
            budget->family = "tokens";
    }
    verifyLines(exported(records), static_cast<qsizetype>(records.size()));
}

void LedgerSchemaTest::recordsOfAnOlderLedgerAreValid()
{
    QStringList changes;
    for (const char *column :
         {"lane", "expected_tokens", "lost_reason", "lost_tokens", "suppressed_warnings"})
        changes += QStringLiteral("ALTER TABLE head_decision DROP COLUMN ") + QLatin1String(column);
    for (const char *column : {"lane", "detail"})
        changes += QStringLiteral("ALTER TABLE connection DROP COLUMN ") + QLatin1String(column);
    for (const char *kind : {"spacing_changed", "ceiling_changed", "token_budget", "quota_window"})
        changes += QStringLiteral("DROP TABLE ") + QLatin1String(kind);
    changes += QStringLiteral("PRAGMA user_version = 1");
    verifyLines(exported(samples::everyKind(), changes), 9);
}

void LedgerSchemaTest::aBrokenLineIsNot_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char *from, const char *to) {
        QTest::addRow("%s → %s", from, to) << QByteArray(from) << QByteArray(to);
    };
    row("\"kind\":\"turn\"", "\"kind\":\"retry\"");
    row("\"kind\":\"turn\"", "\"kind\":\"tern\"");
    row("\"kind\":\"turn\",", "");
    row("\"end\":\"failed\"", "\"end\":\"broken\"");
    row("\"end\":\"failed\"", "\"end\":null");
    row("\"attempts\":12", "\"attempts\":\"12\"");
    row("\"attempts\":12", "\"attempts\":12.5");
    row("\"attempts\":12", "\"attempts\":-1");
    row("\"attempts\":12,", "");
    row("\"attempts\":12,", "\"attempts\":12,\"mood\":1,");
    row("\"gate_ms\":1.25", "\"gate_ms\":\"1.25\"");
    row("\"time\":\"2026-03-01T09:05:07.042Z\"", "\"time\":\"2026-03-01T09:05:07Z\"");
    row("\"time\":\"2026-03-01T09:05:07.042Z\"", "\"time\":1772355907042");
    row("\"turn\":\"req_0123456789abcdef\"", "\"turn\":\"0123456789abcdef\"");
    row("}", "");
}

void LedgerSchemaTest::aBrokenLineIsNot()
{
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, to);
    const QByteArray line = exported({samples::with(samples::turnEnded())}).trimmed();
    QVERIFY(m_checker->violations(line).isEmpty());
    QCOMPARE(line.count(from), 1);
    QVERIFY(!m_checker->violations(QByteArray(line).replace(from, to)).isEmpty());
}

void LedgerSchemaTest::nameEveryKindAndColumnAndNoOther()
{
    const QJsonObject all = m_schema.value(QLatin1String("$defs")).toObject();
    QStringList described;
    for (const QJsonValue &each : m_schema.value(QLatin1String("oneOf")).toArray())
        described += each.toObject().value(QLatin1String("$ref")).toString().mid(8);
    QStringList kinds;
    for (const ledger::Kind &kind : ledger::kinds()) {
        const QString name = QString::fromStdString(std::string(kind.name));
        kinds += name;
        QStringList columns{QStringLiteral("kind")};
        for (const ledger::Column &column : kind.columns)
            columns += QString::fromStdString(std::string(column.name));
        columns.sort();
        const QJsonObject rule = all.value(name).toObject();
        QCOMPARE(rule.value(QLatin1String("properties")).toObject().keys(), columns);
        QStringList required;
        for (const QJsonValue &each : rule.value(QLatin1String("required")).toArray())
            required += each.toString();
        required.sort();
        QCOMPARE(required, columns);
    }
    QCOMPARE(described, kinds);
}

QTEST_GUILESS_MAIN(LedgerSchemaTest)
#include "tst_ledgerschema.moc"
