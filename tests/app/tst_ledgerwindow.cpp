// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a real ledger's file: its table, the evidence behind the rate and what it says of
// its conservation, through what the composition root puts between them.
#include "app/evidencereader.h"
#include "app/ledgerauditor.h"
#include "app/ledgerfile.h"
#include "proxy/store/ledgerdatabase.h"
#include "ui/models/ledgermodel.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/signlabel.h"
#include "ui/views/evidencedesk.h"
#include "ui/views/evidencedialog.h"
#include "ui/views/ledgerview.h"
#include "ui/views/mainwindow.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace headway;
using namespace std::chrono_literals;
using ledger::Record;
using ui::LedgerModel;

class LedgerWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theTableHoldsWhatTheFileHolds();
    void sortingByWhatHappenedSortsTheFile();
    void theEvidenceIsThatOfTheFile();
    void aSecondQuestionReplacesTheFirstOnesAnswer();
    void theFootFollowsTheFile();
    void aFileThatContradictsItselfIsNamed();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("l.sqlite")); }
    void write(const std::vector<Record> &records) const;
    [[nodiscard]] ui::RecordTable *table() const
    {
        return m_window->findChild<ui::RecordTable *>(QStringLiteral("ledger_table"));
    }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    void showTable()
    {
        m_window->places()->ledger()->setSource(std::make_unique<app::LedgerFile>(path()));
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->showView(ui::MainWindow::View::Ledger);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ui::MainWindow> m_window;
};

namespace {

constexpr base::WallTime start{base::Milliseconds(1'772'355'900'000)}; // 2026-03-01T09:05:00Z

Record at(base::Milliseconds offset, std::uint64_t turn, ledger::Body body)
{
    return {start + offset, base::TurnId(turn), turn == 0 ? "" : "s", {}, std::move(body)};
}

ledger::TurnEnded ended(const char *how)
{
    ledger::TurnEnded turn;
    turn.end = how;
    return turn;
}

ledger::Connection connection(const char *event, std::optional<std::uint64_t> status = {})
{
    ledger::Connection connection;
    connection.event = event;
    connection.status = status;
    return connection;
}

std::vector<Record> some()
{
    return {at(0ms, 1, ledger::TurnStarted{"messages", "opus", "gpt", "", 10}),
            at(1s, 1, connection("opened")),
            at(2s, 0, connection("opened")),
            at(61s, 0, connection("rejected", 429)),
            at(62s, 1, ended("completed")),
            at(63s, 0, ledger::QuotaWindow{"codex", "5 h", 18'000'000, 41, {}})};
}

} // namespace

void LedgerWindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = std::make_unique<ui::MainWindow>();
    m_window->resize(1440, 900);
}

void LedgerWindowTest::cleanup()
{
    m_window.reset();
}

void LedgerWindowTest::write(const std::vector<Record> &records) const
{
    auto database = store::LedgerDatabase::open(path());
    if (!database || !database->write(records))
        qFatal("the ledger cannot be written");
}

void LedgerWindowTest::theTableHoldsWhatTheFileHolds()
{
    write(some());
    showTable();
    QTRY_COMPARE(table()->model()->rowCount(), 6);
    QTRY_COMPARE(cell(0, LedgerModel::Turn), QStringLiteral("req_0000000000000001"));
    QCOMPARE(cell(5, LedgerModel::Kind), QStringLiteral("quota"));
    write({at(64s, 0, ledger::Warning{"notice", "made meanwhile"})});
    QTRY_COMPARE(cell(6, LedgerModel::What), QStringLiteral("made meanwhile"));
    auto *filter = m_window->findChild<QLineEdit *>(QStringLiteral("ledger_filter"));
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("429"));
    QTRY_COMPARE(table()->model()->rowCount(), 1);
    QTRY_COMPARE(cell(0, LedgerModel::Kind), QStringLiteral("connection"));
}

void LedgerWindowTest::sortingByWhatHappenedSortsTheFile()
{
    write(some());
    showTable();
    QTRY_COMPARE(table()->model()->rowCount(), 6);
    QHeaderView *header = table()->horizontalHeader();
    QTest::mouseClick(
        header->viewport(), Qt::LeftButton, {},
        {header->sectionViewportPosition(LedgerModel::Turn) + 20, header->height() / 2});
    // Those of no turn first, each group in the order they were made.
    QTRY_COMPARE(cell(0, LedgerModel::Turn), QStringLiteral("–"));
    QTRY_COMPARE(cell(5, LedgerModel::What).left(9), QStringLiteral("completed"));
}

void LedgerWindowTest::theEvidenceIsThatOfTheFile()
{
    write(some());
    app::EvidenceReader reader(path(), {});
    connect(m_window->evidenceDesk(), &ui::EvidenceDesk::requested, &reader,
            &app::EvidenceReader::read);
    connect(&reader, &app::EvidenceReader::answered, m_window->evidenceDesk(),
            &ui::EvidenceDesk::show);
    showTable();
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    const auto *dialog = m_window->findChild<ui::EvidenceDialog *>(QStringLiteral("evidence"));
    QVERIFY(dialog != nullptr);
    QTRY_COMPARE(dialog->findChild<QLabel *>(QStringLiteral("evidence_figure_1"))->text(),
                 QStringLiteral("2 in 1 minute that opened any"));
    QCOMPARE(dialog->findChild<QLabel *>(QStringLiteral("evidence_figure_4"))->text(),
             QStringLiteral("1 in 1 minute"));
}

void LedgerWindowTest::aSecondQuestionReplacesTheFirstOnesAnswer()
{
    write(some());
    app::EvidenceReader reader(path(), {});
    QSignalSpy answers(&reader, &app::EvidenceReader::answered);
    reader.read({.rate = 60});
    reader.read({.sinceMsAgo = 60'000, .rate = 60}); // long after the records
    QTRY_COMPARE(answers.count(), 1);
    const auto answer = answers.at(0).at(0).value<ui::EvidenceAnswer>();
    QVERIFY(answer.evidence != nullptr);
    QCOMPARE(answer.evidence->openings, std::uint64_t{0});
}

void LedgerWindowTest::theFootFollowsTheFile()
{
    write(some());
    showTable();
    app::LedgerAuditor auditor(path());
    connect(&auditor, &app::LedgerAuditor::audited, m_window.get(),
            &ui::MainWindow::showConservation);
    auditor.start();
    const auto *foot = m_window->findChild<ui::SignLabel *>(QStringLiteral("status_conserved"));
    QTRY_COMPARE(foot->text(), QStringLiteral("conserved"));
    QVERIFY(foot->isVisible());
    write({at(70s, 1, ended("failed"))}); // it ended before
    QTRY_VERIFY_WITH_TIMEOUT(foot->text().startsWith(QStringLiteral("1 disagreement")), 20'000);
}

void LedgerWindowTest::aFileThatContradictsItselfIsNamed()
{
    auto records = some();
    records.push_back(at(70s, 9, ended("completed"))); // never began
    write(records);
    app::LedgerAuditor auditor(path());
    QSignalSpy told(&auditor, &app::LedgerAuditor::audited);
    auditor.start();
    QTRY_VERIFY(told.count() > 0);
    const auto state = told.last().at(0).value<ui::ConservationState>();
    QCOMPARE(state.disagreements, quint64{1});
    QVERIFY2(state.first.contains(QStringLiteral("req_0000000000000009")), qPrintable(state.first));
}

QTEST_MAIN(LedgerWindowTest)
#include "tst_ledgerwindow.moc"
