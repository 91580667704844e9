// SPDX-License-Identifier: GPL-3.0-or-later
// What the ledger says of itself at the window's foot (spec/ledger.md, "Conservation").
#include "ui/models/conservationstate.h"
#include "ui/panels/signlabel.h"
#include "ui/views/mainwindow.h"

#include <QTest>

#include <memory>

using namespace headway::ui;

class LedgerFootTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_window.reset(); }
    void nothingIsSaidBeforeAnythingIsKnown();
    void aConservedLedgerSaysSo();
    void whatDisagreesIsNamedWithWhatToDo();
    void theFirstLookSaysHowFarItIs();
    void aLedgerOutOfReachSaysNothing();

private:
    [[nodiscard]] SignLabel *foot() const
    {
        return m_window->findChild<SignLabel *>(QStringLiteral("status_conserved"));
    }
    std::unique_ptr<MainWindow> m_window;
};

void LedgerFootTest::init()
{
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void LedgerFootTest::nothingIsSaidBeforeAnythingIsKnown()
{
    QVERIFY(!foot()->isVisible());
}

void LedgerFootTest::aConservedLedgerSaysSo()
{
    m_window->showConservation({.share = 1});
    QVERIFY(foot()->isVisible());
    QCOMPARE(foot()->text(), QStringLiteral("conserved"));
}

void LedgerFootTest::whatDisagreesIsNamedWithWhatToDo()
{
    m_window->showConservation(
        {.share = 0.3, .disagreements = 2, .first = QStringLiteral("turn req_1 ended twice")});
    QVERIFY(foot()->text().startsWith(QStringLiteral("2 disagreement")));
    QVERIFY(foot()->toolTip().contains(QStringLiteral("turn req_1 ended twice")));
    QVERIFY(foot()->toolTip().contains(QStringLiteral("headway ledger verify")));
}

void LedgerFootTest::theFirstLookSaysHowFarItIs()
{
    m_window->showConservation({.share = 0.999});
    QCOMPARE(foot()->text().replace(u'\u00a0', u' '), QStringLiteral("verifying… 99 %"));
}

void LedgerFootTest::aLedgerOutOfReachSaysNothing()
{
    m_window->showConservation({.share = 1});
    m_window->showConservation({.trouble = QStringLiteral("locked")});
    QVERIFY(!foot()->isVisible());
}

QTEST_MAIN(LedgerFootTest)
#include "tst_ledgerfoot.moc"
