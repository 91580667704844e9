// SPDX-License-Identifier: GPL-3.0-or-later
// The evidence behind a rate in the window (spec/ledger.md, "Reading"), with real keys and clicks.
#include "scene.h"
#include "ui/format/appearance.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/recordtable.h"
#include "ui/views/evidencedesk.h"
#include "ui/views/evidencedialog.h"
#include "ui/views/mainwindow.h"

#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class EvidenceDialogTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_window.reset(); }
    void aButtonOpensItAndAsks();
    void aKeyOpensIt();
    void theFiguresAreThoseOfTheCommand();
    void theMinutesThatStandOutAreListed();
    void anotherSpanAsksAgain();
    void anotherRateAsksAgain();
    void noOpeningSaysWhatToDo();
    void aLedgerThatCannotBeReadSaysWhy();
    void aLedgerElsewhereIsSaidInPlainWords();
    void itIsDrawn_data();
    void itIsDrawn();

private:
    [[nodiscard]] EvidenceDialog *dialog() const
    {
        return m_window->findChild<EvidenceDialog *>(QStringLiteral("evidence"));
    }
    void openWithKey()
    {
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(dialog() != nullptr && dialog()->isVisible());
    }
    [[nodiscard]] QString figure(int row) const
    {
        const auto *label
            = dialog()->findChild<QLabel *>(QStringLiteral("evidence_figure_%1").arg(row));
        if (label == nullptr)
            return {};
        return label->text().replace(u'\u00a0', u' ').replace(u'\u202f', u' ');
    }
    [[nodiscard]] const EmptyState *empty() const { return dialog()->findChild<EmptyState *>(); }
    void answer(ledger::Evidence evidence)
    {
        m_window->evidenceDesk()->show(
            {std::make_shared<const ledger::Evidence>(std::move(evidence)), {}});
    }

    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<QSignalSpy> m_asked;
};

namespace {

constexpr base::WallTime start{base::Milliseconds(1'772'355'900'000)};

// Three minutes opened 10, 70 and 80; the last rejected four.
ledger::Evidence some()
{
    ledger::Evidence e;
    e.from = start;
    e.to = start + std::chrono::minutes(3);
    e.rate = 60;
    e.openings = 160;
    e.minutes = 3;
    e.median = 70;
    e.p90 = 80;
    e.p99 = 80;
    e.most = 80;
    e.above = {{start + std::chrono::minutes(1), 70, 0, {}, 60},
               {start + std::chrono::minutes(2), 80, 4, {{429, 3}, {503, 1}}, 60}};
    e.rejections = 4;
    e.rejecting = {e.above.back()};
    e.ceilings = {{.shape = pacing::CeilingShape::Window,
                   .perMinute = 72,
                   .confidence = 0.875,
                   .measuredAt = start}};
    return e;
}

} // namespace

void EvidenceDialogTest::init()
{
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->showView(MainWindow::View::Ledger);
    m_asked = std::make_unique<QSignalSpy>(m_window->evidenceDesk(), &EvidenceDesk::requested);
    Scene scene;
    scene.set("rate_per_min", "45");
    m_window->apply(std::make_shared<const live::Snapshot>(scene.history(10)));
}

void EvidenceDialogTest::aButtonOpensItAndAsks()
{
    auto *button = m_window->findChild<QPushButton *>(QStringLiteral("open_evidence"));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(dialog() != nullptr && dialog()->isVisible());
    QCOMPARE(m_asked->count(), 1);
    const auto question = m_asked->at(0).at(0).value<EvidenceQuestion>();
    QCOMPARE(question.sinceMsAgo, qint64{0});
    QCOMPARE(question.rate, 45.0); // what is set
    QVERIFY(!question.isAnother);
}

void EvidenceDialogTest::aKeyOpensIt()
{
    openWithKey();
    QCOMPARE(m_asked->count(), 1);
    QTest::keyClick(dialog(), Qt::Key_Escape);
    QVERIFY(!dialog()->isVisible());
}

void EvidenceDialogTest::theFiguresAreThoseOfTheCommand()
{
    openWithKey();
    answer(some());
    QCOMPARE(figure(1), QStringLiteral("160 in 3 minutes that opened any"));
    QCOMPARE(figure(2), QStringLiteral("median 70 · p90 80 · p99 80 · most 80"));
    QCOMPARE(figure(3), QStringLiteral("2 minutes; 60 a minute are set now"));
    QCOMPARE(figure(4), QStringLiteral("4 in 1 minute"));
    QCOMPARE(figure(5), QStringLiteral("about 72 openings a minute, high confidence (88 %)"));
}

void EvidenceDialogTest::theMinutesThatStandOutAreListed()
{
    openWithKey();
    answer(some());
    const auto *table = dialog()->findChild<RecordTable *>(QStringLiteral("evidence_table"));
    const QAbstractItemModel *model = table->model();
    QCOMPARE(model->rowCount(), 2);
    const auto cell
        = [model](int row, int column) { return model->index(row, column).data().toString(); };
    QCOMPARE(cell(0, 1), QStringLiteral("70"));
    QCOMPARE(cell(0, 4), QStringLiteral("opened more than was set"));
    QCOMPARE(cell(1, 3), QStringLiteral("4"));
    QCOMPARE(cell(1, 4), QStringLiteral("opened more than was set · rejected 429: 3, 503: 1"));
}

void EvidenceDialogTest::anotherSpanAsksAgain()
{
    openWithKey();
    auto *span = dialog()->findChild<QComboBox *>(QStringLiteral("evidence_span"));
    span->setFocus();
    QTest::keyClick(span, Qt::Key_Down);
    QTest::keyClick(span, Qt::Key_Down);
    QCOMPARE(m_asked->count(), 3);
    QCOMPARE(m_asked->last().at(0).value<EvidenceQuestion>().sinceMsAgo, qint64{3'600'000});
}

void EvidenceDialogTest::anotherRateAsksAgain()
{
    openWithKey();
    auto *rate = dialog()->findChild<QSpinBox *>(QStringLiteral("evidence_rate"));
    QCOMPARE(rate->text(), QStringLiteral("the rate that was set"));
    rate->setFocus();
    QTest::keyClick(rate, Qt::Key_Up);
    const auto question = m_asked->last().at(0).value<EvidenceQuestion>();
    QCOMPARE(question.rate, 1.0);
    QVERIFY(question.isAnother);
}

void EvidenceDialogTest::noOpeningSaysWhatToDo()
{
    openWithKey();
    answer({});
    QVERIFY(empty()->isShowingMessage());
    QCOMPARE(empty()->title(), QStringLiteral("No connection was opened in this span"));
    answer(some());
    QVERIFY(!empty()->isShowingMessage());
}

void EvidenceDialogTest::aLedgerThatCannotBeReadSaysWhy()
{
    openWithKey();
    m_window->evidenceDesk()->show({nullptr, QStringLiteral("there is no ledger at /x")});
    QVERIFY(empty()->isShowingMessage());
    QCOMPARE(empty()->title(), QStringLiteral("The ledger could not be read"));
}

void EvidenceDialogTest::aLedgerElsewhereIsSaidInPlainWords()
{
    m_window->setLink({LinkState::Phase::Connecting, QStringLiteral("wss://far:1"), {}, 0});
    openWithKey();
    QCOMPARE(m_asked->count(), 0);
    QVERIFY(empty()->isShowingMessage());
    QCOMPARE(empty()->title(), QStringLiteral("The ledger is not on this machine"));
    bool isNamed = false;
    for (const QLabel *label : empty()->findChildren<QLabel *>())
        isNamed = isNamed || label->text().contains(QStringLiteral("wss://far:1"));
    QVERIFY(isNamed);
}

void EvidenceDialogTest::itIsDrawn_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("lively");
    QTest::newRow("evidence-light") << false << true;
    QTest::newRow("evidence-dark") << true << true;
    QTest::newRow("evidence-empty") << false << false;
}

// For eyes: the picture stays in the build folder.
void EvidenceDialogTest::itIsDrawn()
{
    QFETCH(const bool, dark);
    QFETCH(const bool, lively);
    applyAppearance(dark ? Appearance::Dark : Appearance::Light);
    openWithKey();
    answer(lively ? some() : ledger::Evidence());
    const QImage image = dialog()->grab().toImage();
    QVERIFY(image.width() > 600);
    QVERIFY(QDir().mkpath(QStringLiteral("pictures")));
    QVERIFY(
        image.save(QStringLiteral("pictures/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
    applyAppearance(Appearance::Light);
}

QTEST_MAIN(EvidenceDialogTest)
#include "tst_evidencedialog.moc"
