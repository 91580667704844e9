// SPDX-License-Identifier: GPL-3.0-or-later
// The Ledger's table over a whole ledger on disk (spec/window.md, "Ledger"): two million records,
// looked at with real keys and clicks. What must come is computed from the numbers alone.
#include "madeupledger.h"
#include "scene.h"
#include "ui/format/appearance.h"
#include "ui/models/ledgermodel.h"
#include "ui/models/ledgerpages.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/recordtable.h"
#include "ui/views/ledgerview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/renderwindow.h"

#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QTextBrowser>

#include <memory>

using headway::test::MadeUpLedger;
using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class LedgerPagesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_window.reset(); }
    void theWholeLedgerIsThere();
    void itOpensAtTheNewestRecord();
    void onlyPagesThatAreLookedAtAreRead();
    void aFilterFindsRecordsAnywhere();
    void theNewestFilterWins();
    void theWindowDoesNotWaitForASearch();
    void clickingAHeaderSortsEverything();
    void newestFirstIsTheOrderTurnedRound();
    void whatIsMadeMeanwhileAppears();
    void aLedgerThatBeginsIsFollowed();
    void whatIsMadeMeanwhileJoinsWhatWasFound();
    void whatRetentionTakesGoesAtTheTop();
    void aFilterThatHidesEverythingSaysSo();
    void anEmptyLedgerSaysWhatToDo();
    void aFileThatCannotBeReadLeavesWhatIsInMemory();
    void detailsAreOfTheRecordOnDisk();
    void aPausedPictureStandsStill();
    void itIsDrawn_data();
    void itIsDrawn();

private:
    static constexpr qint64 many = 2'000'000;

    void open(const MadeUpLedger &ledger)
    {
        m_window = std::make_unique<MainWindow>();
        m_window->places()->ledger()->setSource(ledger.source());
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->showView(MainWindow::View::Ledger);
    }
    [[nodiscard]] RecordTable *table() const
    {
        return m_window->findChild<RecordTable *>(QStringLiteral("ledger_table"));
    }
    [[nodiscard]] int rows() const { return table()->model()->rowCount(); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QLineEdit *filter() const
    {
        return m_window->findChild<QLineEdit *>(QStringLiteral("ledger_filter"));
    }
    [[nodiscard]] QString counted() const
    {
        return m_window->findChild<QLabel *>(QStringLiteral("ledger_count"))
            ->text()
            .replace(u'\u202f', u' ');
    }
    void clickHeader(int column) const
    {
        QHeaderView *header = table()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 20, header->height() / 2});
    }
    void say(live::Snapshot snapshot)
    {
        m_window->apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
    }

    std::unique_ptr<MainWindow> m_window;
};

void LedgerPagesTest::theWholeLedgerIsThere()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    QCOMPARE(counted(), QStringLiteral("2 000 000 records"));
    QCOMPARE(ledger.state().searches.load(), 0); // nothing to look for
}

void LedgerPagesTest::itOpensAtTheNewestRecord()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    QTRY_COMPARE(table()->verticalScrollBar()->value(), table()->verticalScrollBar()->maximum());
    QTRY_COMPARE(cell(static_cast<int>(many) - 1, LedgerModel::What),
                 QStringLiteral("odd words 2000000"));
}

void LedgerPagesTest::onlyPagesThatAreLookedAtAreRead()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Home, Qt::ControlModifier);
    QTRY_COMPARE(cell(9, LedgerModel::What), QStringLiteral("odd words 10"));
    for (int value = 0; value < table()->verticalScrollBar()->maximum(); value += 40'000) {
        table()->verticalScrollBar()->setValue(value);
        QCoreApplication::processEvents();
    }
    QTest::keyClick(table(), Qt::Key_End, Qt::ControlModifier);
    QTRY_COMPARE(cell(static_cast<int>(many) - 1, LedgerModel::What),
                 QStringLiteral("odd words 2000000"));
    QVERIFY2(ledger.state().reads < 120, QByteArray::number(ledger.state().reads).constData());
}

void LedgerPagesTest::aFilterFindsRecordsAnywhere()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(filter(), QStringLiteral("words 123450"));
    // 123450 and 1234500 to 1234509, of which one is a tenth.
    QTRY_COMPARE(counted(), QStringLiteral("2 of 2 000 000 records"));
    QTRY_COMPARE(cell(0, LedgerModel::What), QStringLiteral("odd words 123450"));
    QCOMPARE(cell(1, LedgerModel::What), QStringLiteral("odd words 1234500"));
    auto *kind = m_window->findChild<QComboBox *>(QStringLiteral("ledger_kind"));
    filter()->clear();
    kind->setFocus();
    QTest::keyClicks(kind, QStringLiteral("warning"));
    QTRY_COMPARE(counted(), QStringLiteral("200 000 of 2 000 000 records"));
}

// Whatever is typed while a search runs: what stands in the field at last is what is shown.
void LedgerPagesTest::theNewestFilterWins()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    ledger.state().isSlow = true;
    filter()->setFocus();
    QTest::keyClicks(filter(), QStringLiteral("agent-1"));
    QTRY_COMPARE(ledger.state().searches.load(), 1); // its first step waits
    filter()->selectAll();
    QTest::keyClicks(filter(), QStringLiteral("words 70"));
    QVERIFY(counted().startsWith(QStringLiteral("counting…")));
    ledger.state().isSlow = false;
    ledger.state().permits.release(100);
    // The tenths among 70, 700 to 709, 7000 to 7099 …: 1 + 1 + 10 + 100 + 1000.
    QTRY_COMPARE(counted(), QStringLiteral("1 112 of 2 000 000 records"));
    QCOMPARE(rows(), 1'112);
    QTRY_COMPARE(cell(0, LedgerModel::What), QStringLiteral("odd words 70"));
}

void LedgerPagesTest::theWindowDoesNotWaitForASearch()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    ledger.state().isSlow = true;
    filter()->setFocus();
    QTest::keyClicks(filter(), QStringLiteral("agent-1"));
    QTRY_COMPARE(ledger.state().searches.load(), 1); // for its first letter
    ledger.state().permits.release(1);
    QTRY_COMPARE(ledger.state().searches.load(), 2); // for all of it
    // The search stands still; the window does not.
    m_window->showView(MainWindow::View::Live);
    m_window->showView(MainWindow::View::Ledger);
    QVERIFY(counted().startsWith(QStringLiteral("counting…")));
    ledger.state().permits.release(1);
    QTRY_COMPARE(rows(), 15'000); // what one step found: a third of nine tenths of 50 000
    QVERIFY(counted().startsWith(QStringLiteral("counting…")));
    ledger.state().isSlow = false;
    ledger.state().permits.release(100);
    QTRY_COMPARE(counted(), QStringLiteral("600 000 of 2 000 000 records"));
}

void LedgerPagesTest::clickingAHeaderSortsEverything()
{
    const MadeUpLedger ledger(100'000);
    open(ledger);
    QTRY_COMPARE(rows(), 100'000);
    clickHeader(LedgerModel::Who);
    QTRY_VERIFY(counted().startsWith(QStringLiteral("100 000 records")));
    QTRY_COMPARE(cell(0, LedgerModel::What), QStringLiteral("odd words 10")); // nobody's
    QTRY_COMPARE(cell(9'999, LedgerModel::What), QStringLiteral("odd words 100000"));
    QTRY_COMPARE(cell(10'000, LedgerModel::Who), QStringLiteral("agent-0 · s"));
    clickHeader(LedgerModel::Who);
    QTRY_COMPARE(cell(0, LedgerModel::Who), QStringLiteral("agent-2 · s"));
    QTRY_COMPARE(cell(99'999, LedgerModel::What), QStringLiteral("odd words 10"));
    clickHeader(LedgerModel::What);
    QTRY_COMPARE(cell(90'000, LedgerModel::What), QStringLiteral("odd words 10"));
}

void LedgerPagesTest::newestFirstIsTheOrderTurnedRound()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    clickHeader(LedgerModel::Time);
    clickHeader(LedgerModel::Time);
    QTRY_COMPARE(cell(0, LedgerModel::What), QStringLiteral("odd words 2000000"));
    filter()->setFocus();
    QTest::keyClicks(filter(), QStringLiteral("words"));
    QTRY_COMPARE(counted(), QStringLiteral("200 000 of 2 000 000 records"));
    QTRY_COMPARE(cell(1, LedgerModel::What), QStringLiteral("odd words 1999990"));
    ledger.state().last = many + 10;
    QTRY_COMPARE(cell(0, LedgerModel::What), QStringLiteral("odd words 2000010"));
}

void LedgerPagesTest::whatIsMadeMeanwhileAppears()
{
    const MadeUpLedger ledger(1'000);
    open(ledger);
    QTRY_COMPARE(rows(), 1'000);
    ledger.state().last = 1'250;
    QTRY_COMPARE(rows(), 1'250);
    QTRY_COMPARE(table()->verticalScrollBar()->value(), table()->verticalScrollBar()->maximum());
    table()->verticalScrollBar()->setValue(100); // somebody reads further up
    ledger.state().last = 1'500;
    QTRY_COMPARE(rows(), 1'500);
    QCOMPARE(table()->verticalScrollBar()->value(), 100);
}

void LedgerPagesTest::aLedgerThatBeginsIsFollowed()
{
    const MadeUpLedger ledger(0);
    ledger.state().isBroken = true; // there is no file yet
    open(ledger);
    QTRY_VERIFY(counted().contains(QStringLiteral("cannot be read")));
    ledger.state().isBroken = false;
    for (const int records : {1, 30, 60, 400}) { // the table is hidden, has room, is too small
        ledger.state().last = records;
        QTRY_COMPARE(rows(), records);
    }
    QVERIFY(table()->verticalScrollBar()->maximum() > 0);
    QTRY_COMPARE(table()->verticalScrollBar()->value(), table()->verticalScrollBar()->maximum());
}

void LedgerPagesTest::whatIsMadeMeanwhileJoinsWhatWasFound()
{
    const MadeUpLedger ledger(1'000);
    open(ledger);
    filter()->setFocus();
    QTest::keyClicks(filter(), QStringLiteral("words"));
    QTRY_COMPARE(rows(), 100);
    ledger.state().last = 1'100;
    QTRY_COMPARE(rows(), 110);
    clickHeader(LedgerModel::Who);
    QTRY_COMPARE(counted(), QStringLiteral("110 of 1 100 records"));
    ledger.state().last = 1'200;
    QTRY_COMPARE(counted(),
                 QStringLiteral("110 of 1 200 records · 100 newer ones are not sorted in yet"));
}

void LedgerPagesTest::whatRetentionTakesGoesAtTheTop()
{
    const MadeUpLedger ledger(1'000);
    open(ledger);
    QTRY_COMPARE(rows(), 1'000);
    ledger.state().first = 101;
    ledger.state().last = 1'010;
    QTRY_COMPARE(rows(), 910);
    QTRY_COMPARE(cell(9, LedgerModel::What), QStringLiteral("odd words 110"));
}

void LedgerPagesTest::aFilterThatHidesEverythingSaysSo()
{
    const MadeUpLedger ledger(100'000);
    open(ledger);
    QTRY_COMPARE(rows(), 100'000);
    filter()->setFocus();
    QTest::keyClicks(filter(), QStringLiteral("nowhere"));
    QTRY_COMPARE(counted(), QStringLiteral("0 of 100 000 records"));
    auto *clear = m_window->findChild<QWidget *>(QStringLiteral("ledger_table"))
                      ->parentWidget()
                      ->findChild<QPushButton *>(QStringLiteral("clear_filter"));
    QTRY_VERIFY(clear->isVisible());
    QTest::mouseClick(clear, Qt::LeftButton);
    QTRY_COMPARE(rows(), 100'000);
}

void LedgerPagesTest::anEmptyLedgerSaysWhatToDo()
{
    const MadeUpLedger ledger(0);
    open(ledger);
    const auto *empty = qobject_cast<EmptyState *>(table()->parentWidget());
    QVERIFY(empty != nullptr);
    QTRY_VERIFY(empty->isShowingMessage());
    QCOMPARE(empty->title(), QStringLiteral("No record yet"));
    ledger.state().last = 12;
    QTRY_COMPARE(rows(), 12);
    QVERIFY(!empty->isShowingMessage());
}

void LedgerPagesTest::aFileThatCannotBeReadLeavesWhatIsInMemory()
{
    const MadeUpLedger ledger(1'000);
    open(ledger);
    QTRY_COMPARE(rows(), 1'000);
    Scene scene(7, 12);
    const live::Snapshot first = scene.history(10);
    live::Snapshot second = scene.next();
    for (int i = 0; i < 50 && second.records.empty(); ++i)
        second = scene.next();
    const auto made = static_cast<int>(first.records.size() + second.records.size());
    QVERIFY(made > 0);
    say(first);
    say(second);
    ledger.state().isBroken = true;
    QTRY_COMPARE(rows(), made);
    QVERIFY2(counted().contains(QStringLiteral("the file cannot be read: the file is damaged")),
             qPrintable(counted()));
    ledger.state().isBroken = false;
    QTRY_COMPARE(rows(), 1'000);
}

void LedgerPagesTest::detailsAreOfTheRecordOnDisk()
{
    const MadeUpLedger ledger(many);
    open(ledger);
    QTRY_COMPARE(rows(), static_cast<int>(many));
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Home, Qt::ControlModifier);
    const auto *details = m_window->findChild<QTextBrowser *>(QStringLiteral("ledger_details"));
    QTRY_VERIFY(details->toPlainText().contains(QStringLiteral("agent-1"))); // of record 1
    QTest::keyClick(table(), Qt::Key_End, Qt::ControlModifier); // not read when it is selected
    QTRY_VERIFY(details->toPlainText().contains(QStringLiteral("odd words 2000000")));
}

void LedgerPagesTest::aPausedPictureStandsStill()
{
    const MadeUpLedger ledger(1'000);
    open(ledger);
    QTRY_COMPARE(rows(), 1'000);
    table()->setFocus();
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTest::keyClick(table(), Qt::Key_Home, Qt::ControlModifier); // pages are still read
    QTRY_COMPARE(cell(9, LedgerModel::What), QStringLiteral("odd words 10"));
    const auto grows = [this] { return rows() != 1'000; };
    QVERIFY(!QTest::qWaitFor(grows, 600)); // a look may have been under way
    ledger.state().last = 2'000;
    QVERIFY(!QTest::qWaitFor(grows, 1'200)); // two looks' time
    QTest::keyClick(m_window.get(), Qt::Key_Space);
    QTRY_COMPARE(rows(), 2'000);
}

void LedgerPagesTest::itIsDrawn_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("ledger-pages-light") << false;
    QTest::newRow("ledger-pages-dark") << true;
}

// For eyes: the picture stays in the build folder.
void LedgerPagesTest::itIsDrawn()
{
    QFETCH(const bool, dark);
    applyAppearance(dark ? Appearance::Dark : Appearance::Light);
    const MadeUpLedger ledger(many);
    open(ledger);
    say(Scene().history(60));
    QTRY_COMPARE(rows(), static_cast<int>(many));
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_End, Qt::ControlModifier);
    QTRY_COMPARE(cell(static_cast<int>(many) - 1, LedgerModel::What),
                 QStringLiteral("odd words 2000000"));
    const QImage image = renderWindow(*m_window, QSize(1440, 900));
    QVERIFY(QDir().mkpath(QStringLiteral("pictures")));
    QVERIFY(
        image.save(QStringLiteral("pictures/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
    applyAppearance(Appearance::Light);
}

QTEST_MAIN(LedgerPagesTest)
#include "tst_ledgerpages.moc"
