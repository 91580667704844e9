// SPDX-License-Identifier: GPL-3.0-or-later
// `ledger query` reads and cannot write, whatever it is given (spec/ledger.md, "Reading").
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgerquery.h"
#include "tests/core/ledger/samplerecords.h"
#include "tests/store/sqliterows.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace headway;
using store::StoreError;

class LedgerQueryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void givesNamesAndRows();
    void givesTheNamesOfAnEmptyResult();
    void keepsNumbersTextsAndNothingApart();
    void readsOneInstantWhileWritingGoesOn();
    void letsNothingBeWritten_data();
    void letsNothingBeWritten();
    void readsBehindAComment_data();
    void readsBehindAComment();
    void saysWhatIsWrongWithAStatement_data();
    void saysWhatIsWrongWithAStatement();
    void endsWhenTheReaderWantsNoMore();
    void refusesANewerSchema();
    void saysThatThereIsNoLedger();

private:
    QString at(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    tl::expected<QList<QVariantList>, StoreError> ask(const QString &statement)
    {
        QList<QVariantList> rows;
        const auto done = store::runLedgerQuery({.path = at("ledger.sqlite"),
                                                 .statement = statement,
                                                 .columns =
                                                     [this](const QStringList &names) {
                                                         m_names = names;
                                                         return true;
                                                     },
                                                 .row =
                                                     [&rows](const QVariantList &cells) {
                                                         rows += cells;
                                                         return true;
                                                     }});
        if (!done)
            return tl::unexpected(done.error());
        return rows;
    }

    std::optional<QTemporaryDir> m_folder;
    std::optional<store::LedgerDatabase> m_database;
    QStringList m_names;
};

namespace {

// Of everything in the folder, so that a file made elsewhere in it is seen as well.
QByteArray fingerprint(const QDir &folder)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &name : folder.entryList(QDir::Files | QDir::Hidden, QDir::Name)) {
        if (name.endsWith(QLatin1String("-shm"))) // the readers' own marks
            continue;
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("cannot read %s", qPrintable(name));
        hash.addData(name.toUtf8());
        hash.addData(file.readAll());
    }
    return hash.result();
}

} // namespace

void LedgerQueryTest::init()
{
    m_database.reset();
    m_folder.emplace();
    m_names.clear();
    auto database = store::LedgerDatabase::open(at("ledger.sqlite"));
    QVERIFY(database.has_value());
    m_database.emplace(std::move(*database));
    QVERIFY(m_database->write(samples::everyKind()).has_value());
}

void LedgerQueryTest::givesNamesAndRows()
{
    const auto rows = ask(QStringLiteral(
        "SELECT \"end\", count(*) AS turns FROM turn GROUP BY \"end\" ORDER BY 2 DESC;"));
    QVERIFY2(rows, rows ? "" : qPrintable(rows.error().text));
    QCOMPARE(m_names, (QStringList{QStringLiteral("end"), QStringLiteral("turns")}));
    QCOMPARE(*rows, (QList<QVariantList>{{QStringLiteral("failed"), qlonglong{1}}}));
}

void LedgerQueryTest::givesTheNamesOfAnEmptyResult()
{
    const auto rows = ask(QStringLiteral("SELECT time, key FROM warning WHERE 0"));
    QVERIFY(rows && rows->isEmpty());
    QCOMPARE(m_names, (QStringList{QStringLiteral("time"), QStringLiteral("key")}));
}

void LedgerQueryTest::keepsNumbersTextsAndNothingApart()
{
    const auto rows
        = ask(QStringLiteral("SELECT 9007199254740993, 0.5, 'π', NULL, x'00ff', '60' || ''"));
    QVERIFY(rows && rows->size() == 1);
    const QVariantList cells = rows->constFirst();
    QCOMPARE(cells.at(0), QVariant(qlonglong{9'007'199'254'740'993}));
    QCOMPARE(cells.at(1), QVariant(0.5));
    QCOMPARE(cells.at(2), QVariant(QStringLiteral("π")));
    QVERIFY(cells.at(3).isNull());
    QCOMPARE(cells.at(4), QVariant(QByteArray("\0\xff", 2)));
    QCOMPARE(cells.at(5), QVariant(QStringLiteral("60")));
}

void LedgerQueryTest::readsOneInstantWhileWritingGoesOn()
{
    qsizetype rows = 0;
    const auto done = store::runLedgerQuery(
        {.path = at("ledger.sqlite"),
         .statement = QStringLiteral("SELECT seq FROM warning UNION ALL SELECT seq FROM retry"),
         .columns = {},
         .row = [&](const QVariantList &) {
             ++rows;
             return m_database->write(samples::everyKind()).has_value();
         }});
    QVERIFY(done);
    QCOMPARE(rows, 2);
}

void LedgerQueryTest::letsNothingBeWritten_data()
{
    QTest::addColumn<QString>("statement");
    const auto row
        = [](const char *statement) { QTest::newRow(statement) << QString::fromLatin1(statement); };
    row("INSERT INTO warning (seq) VALUES (99)");
    row("UPDATE turn SET input_tokens = 0");
    row("DELETE FROM turn");
    row("REPLACE INTO turn (seq) VALUES (1)");
    row("DROP TABLE turn");
    row("CREATE TABLE mine (x)");
    row("CREATE TEMP TABLE mine AS SELECT * FROM turn");
    row("ALTER TABLE turn RENAME TO torn");
    row("VACUUM");
    row("VACUUM INTO 'copy.sqlite'");
    row("REINDEX");
    row("ANALYZE");
    row("BEGIN");
    row("COMMIT");
    row("SAVEPOINT s");
    row("DETACH main");
    row("ATTACH 'other.sqlite' AS other");
    row("attach ':memory:' as other");
    row("/* SELECT */ ATTACH 'other.sqlite' AS other");
    row("-- SELECT\nATTACH 'other.sqlite' AS other");
    row("PRAGMA query_only = OFF");
    row("PRAGMA writable_schema = ON");
    row("PRAGMA user_version = 9");
    row("PRAGMA journal_mode = DELETE");
    row("PRAGMA wal_checkpoint(TRUNCATE)");
    row("WITH old AS (SELECT 1 AS s) DELETE FROM turn WHERE seq IN (SELECT s FROM old)");
    row("WITH new(x) AS (VALUES (77)) INSERT INTO warning (seq) SELECT x FROM new");
    row("WITH x AS (SELECT 1) UPDATE sqlite_schema SET sql = ''");
    row("SELECT 1; DELETE FROM turn");
    row("SELECT 1; PRAGMA query_only = OFF");
    row("SELECT load_extension('libm')");
    row("SELECT * FROM pragma_query_only(0)");
    row("SELECT * FROM pragma_journal_mode('delete')");
    row("SELECT writefile('f', 'x')");
}

void LedgerQueryTest::letsNothingBeWritten()
{
    QFETCH(const QString, statement);
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_folder->path()));
    const QByteArray was = fingerprint(QDir(m_folder->path()));
    const auto rows = ask(statement);
    const QByteArray is = fingerprint(QDir(m_folder->path()));
    QDir::setCurrent(before);
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, StoreError::Code::Invalid);
    QVERIFY(!rows.error().text.isEmpty());
    QCOMPARE(is, was);
    // And the ledger takes the next record as if nothing had been.
    QVERIFY(m_database->write(samples::everyKind()).has_value());
}

void LedgerQueryTest::readsBehindAComment_data()
{
    QTest::addColumn<QString>("statement");
    for (const char *statement :
         {"  SELECT 5", "-- why\nSELECT 5", "/* why */ SELECT 5", "/**/-- a\n /* b */\n\tselect 5",
          "VALUES(5)", "WITH x AS (SELECT 5 AS y) SELECT y FROM x", "SELECT(5) -- why"})
        QTest::newRow(statement) << QString::fromLatin1(statement);
}

void LedgerQueryTest::readsBehindAComment()
{
    QFETCH(const QString, statement);
    const auto rows = ask(statement);
    QVERIFY2(rows, rows ? "" : qPrintable(rows.error().text));
    QCOMPARE(*rows, (QList<QVariantList>{{qlonglong{5}}}));
}

void LedgerQueryTest::saysWhatIsWrongWithAStatement_data()
{
    QTest::addColumn<QString>("statement");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *statement, const char *word) {
        QTest::newRow(statement) << QString::fromLatin1(statement) << QString::fromLatin1(word);
    };
    row("", "no statement");
    row("  /* nothing", "no statement");
    row("-- nothing", "no statement");
    row("SELECT colour FROM turn", "colour");
    row("SELECT * FROM turns", "turns");
    row("SELECT FROM turn", "syntax error");
    row("DELETE FROM turn", "DELETE is refused");
    row("attach 'x' as y", "ATTACH is refused");
    row("WITH x AS (SELECT 1) DELETE FROM turn", "nothing can be changed");
    row("SELECT 1; SELECT 2", "one statement at a time");
}

void LedgerQueryTest::saysWhatIsWrongWithAStatement()
{
    QFETCH(const QString, statement);
    QFETCH(const QString, word);
    const auto rows = ask(statement);
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, StoreError::Code::Invalid);
    QVERIFY2(rows.error().text.contains(word), qPrintable(rows.error().text));
}

void LedgerQueryTest::endsWhenTheReaderWantsNoMore()
{
    int rows = 0;
    const auto done = store::runLedgerQuery(
        {.path = at("ledger.sqlite"),
         .statement = QStringLiteral("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM "
                                     "n) SELECT x FROM n"),
         .columns = {},
         .row = [&rows](const QVariantList &) { return ++rows < 10; }});
    QVERIFY(!done);
    QCOMPARE(done.error().code, StoreError::Code::Cancelled);
    QCOMPARE(rows, 10);
}

void LedgerQueryTest::refusesANewerSchema()
{
    testsupport::value(at("ledger.sqlite"), QStringLiteral("PRAGMA user_version = 99"));
    const auto rows = ask(QStringLiteral("SELECT 1"));
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, StoreError::Code::Newer);
}

void LedgerQueryTest::saysThatThereIsNoLedger()
{
    const auto done = store::runLedgerQuery({.path = at("none.sqlite"),
                                             .statement = QStringLiteral("SELECT 1"),
                                             .columns = {},
                                             .row = {}});
    QVERIFY(!done);
    QCOMPARE(done.error().code, StoreError::Code::CannotOpen);
    QVERIFY(!QFile::exists(at("none.sqlite")));
}

QTEST_GUILESS_MAIN(LedgerQueryTest)
#include "tst_ledgerquery.moc"
