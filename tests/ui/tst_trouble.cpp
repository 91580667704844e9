// SPDX-License-Identifier: GPL-3.0-or-later
// Trouble and empty states, on the real widgets (issue E, 3): each says what happened, what it
// means and what to do, in every place, and is gone when it is over.
#include "scene.h"
#include "ui/format/appearance.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/topstrip.h"
#include "ui/panels/troublebar.h"
#include "ui/views/headsview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"
#include "ui/views/renderwindow.h"
#include "ui/views/signindesk.h"
#include "ui/views/turnspanel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;
using Kind = Trouble::Kind;

class TroubleTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whatASnapshotShowsIsSaid_data();
    void whatASnapshotShowsIsSaid();
    void aProviderThatLimitsIsNoTrouble();
    void aRateThatIsNotKeptIsSaid();
    void aStallUnderAnotherPolicyIsEndedByAuto();
    void aStallForWantOfRateLeadsToItsSlider();
    void otherFiguresOfAStallKeepItsButton();
    void aTakenPortNamesItsOwnerAndOffersAnother();
    void aRunningHeadwayIsOffered();
    void withoutUpstreamTheWayToSetupIsOneKeyAway();
    void aMissingCredentialIsSaidWhileTheProxyRuns();
    void aMissingSignInIsMadeFromTheBanner();
    void aSignInThatFailsIsTriedAgain();
    void aRefusedSignInIsMadeFromTheBannerToo();
    void aSignInElsewhereIsMadeThere();
    void aSilentProxyIsSaidAndItsFiguresAreGreyed();
    void aProxyThatNeverStartedIsNotCalledSilent();
    void stoppingIsSaid();
    void theFirstRunSaysWhatToDo();
    void aFilterThatHidesAllCanBeCleared_data();
    void aFilterThatHidesAllCanBeCleared();
    void theGravestComesFirst();
    void theSameTroubleAgainKeepsItsButton();
    void pictures_data();
    void pictures();

private:
    void apply(const live::Snapshot &snapshot)
    {
        m_window->apply(std::make_shared<const live::Snapshot>(snapshot));
    }
    static void starve(live::Snapshot &snapshot);
    static void breakAll(live::Snapshot &snapshot, MainWindow &window);
    [[nodiscard]] TroubleBar *bar() const { return m_window->findChild<TroubleBar *>(); }
    // What a person reads there.
    [[nodiscard]] QString words() const
    {
        QStringList all;
        for (const QLabel *label : bar()->findChildren<QLabel *>())
            if (label->isVisible())
                all << label->text();
        return all.join(u'\n');
    }
    // Without a sign-in to the plan, as the proxy tells it before any turn.
    void applyNotSignedIn()
    {
        live::Snapshot snapshot = m_scene->next();
        snapshot.signIn.state = live::SignInState::Lacking;
        snapshot.signIn.trouble
            = "There is no sign-in to the ChatGPT plan. Run: headway login chatgpt";
        snapshot.upstreamState = "no credential: " + snapshot.signIn.trouble;
        apply(snapshot);
    }
    // A second later, with so many turns refused since.
    void applyRefusals(const std::string &policy, std::uint64_t refused)
    {
        live::Snapshot snapshot;
        for (int i = 0; i < 11; ++i)
            snapshot = m_scene->next();
        snapshot.policy = policy;
        snapshot.settings["policy"].value = policy;
        live::SecondStats second;
        const auto now = std::chrono::floor<base::Seconds>(snapshot.at).time_since_epoch().count();
        snapshot.seconds.clear();
        for (second.second = m_isQuiet ? now : now - 60; second.second < now; ++second.second)
            snapshot.seconds.push_back(second); // nothing was rejected
        m_isQuiet = true;
        second.turnsRefused = static_cast<std::uint32_t>(refused);
        snapshot.seconds.push_back(second);
        apply(snapshot);
    }
    [[nodiscard]] QWidget *dialog() const
    {
        return m_window->findChild<QWidget *>(QStringLiteral("sign_in_dialog"));
    }
    template <typename T>
    [[nodiscard]] T *inDialog(const char *name) const
    {
        return dialog()->findChild<T *>(QLatin1String(name));
    }
    [[nodiscard]] QPushButton *remedy(Kind kind) const
    {
        return bar()->findChild<QPushButton *>(
            QStringLiteral("remedy_%1").arg(static_cast<int>(kind)));
    }

    bool m_isQuiet = false; // the minute before is without rejections
    std::unique_ptr<Scene> m_scene;
    std::unique_ptr<MainWindow> m_window;
};

void TroubleTest::init()
{
    m_isQuiet = false;
    m_scene = std::make_unique<Scene>();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    apply(m_scene->history(30));
    QVERIFY(!bar()->isVisible());
}

void TroubleTest::cleanup()
{
    m_window.reset();
}

void TroubleTest::whatASnapshotShowsIsSaid_data()
{
    QTest::addColumn<QString>("upstream");
    QTest::addColumn<QString>("ledger");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QStringList>("says"); // what happened, what it means, what to do
    const auto row = [](const char *name, const char *upstream, const char *ledger, Kind kind,
                        const QStringList &says) {
        QTest::newRow(name) << QString::fromLatin1(upstream) << QString::fromLatin1(ledger)
                            << static_cast<int>(kind) << says;
    };
    row("upstream down", "unreachable: Connection refused", "ok", Kind::UpstreamDown,
        {QStringLiteral("simulated provider cannot be reached: Connection refused"),
         QStringLiteral("goes on trying"), QStringLiteral("headway doctor")});
    row("credential expired", "rejecting (401)", "ok", Kind::CredentialRejected,
        {QStringLiteral("does not take the credential (401)"), QStringLiteral("is refused"),
         QStringLiteral("HEADWAY_UPSTREAM_KEY")});
    row("not signed in",
        "no credential: There is no sign-in to the ChatGPT plan. Run: headway login chatgpt", "ok",
        Kind::NotSignedIn,
        {QStringLiteral("There is no sign-in to the ChatGPT plan. Run: headway login chatgpt."),
         QStringLiteral("is refused until then"), QStringLiteral("takes the new sign-in")});
    row("sign-in of Codex ended", // the engine's own words: no "The" in them
        "no credential: Codex's sign-in to the ChatGPT plan has ended, and only Codex may renew "
        "it. Run codex once, or: headway login chatgpt",
        "ok", Kind::NotSignedIn,
        {QStringLiteral("only Codex may renew it. Run codex once, or: headway login chatgpt."),
         QStringLiteral("is refused until then"), QStringLiteral("takes the new sign-in")});
    row("sign-in not renewed now",
        "unreachable: The sign-in to the ChatGPT plan could not be renewed: Connection refused",
        "ok", Kind::UpstreamDown,
        {QStringLiteral("could not be renewed: Connection refused."),
         QStringLiteral("goes on trying"), QStringLiteral("headway doctor")});
    row("ledger damaged", "ok",
        "the ledger file was damaged; it was set aside as /l.1 and a new one begun",
        Kind::LedgerDamaged,
        {QStringLiteral("set aside as /l.1"), QStringLiteral("Turns are not harmed"),
         QStringLiteral("keep the old file")});
    row("disk full", "ok",
        "there is no room left for /l; 7 records are kept in memory, trying again",
        Kind::LedgerFull,
        {QStringLiteral("no room left for /l"), QStringLiteral("kept in memory"),
         QStringLiteral("Free some space")});
    row("ledger locked", "ok",
        "/l is locked by another program; 7 records are kept in memory, trying again",
        Kind::LedgerStuck,
        {QStringLiteral("locked by another program"), QStringLiteral("Turns are not harmed"),
         QStringLiteral("tries again by itself")});
}

void TroubleTest::whatASnapshotShowsIsSaid()
{
    QFETCH(const QString, upstream);
    QFETCH(const QString, ledger);
    QFETCH(const int, kind);
    QFETCH(const QStringList, says);
    live::Snapshot snapshot = m_scene->next();
    snapshot.upstreamState = upstream.toStdString();
    snapshot.ledgerState = ledger.toStdString();
    apply(snapshot);
    for (const auto view :
         {MainWindow::View::Live, MainWindow::View::Heads, MainWindow::View::Ledger,
          MainWindow::View::WhatIf, MainWindow::View::Setup})
    {
        m_window->showView(view);
        QVERIFY(bar()->isVisible());
        for (const QString &part : says)
            QVERIFY2(words().contains(part), qPrintable(words()));
    }
    QCOMPARE(bar()->troubles().size(), std::size_t(1));
    QCOMPARE(static_cast<int>(bar()->troubles()[0].kind), kind);
    apply(m_scene->next()); // all is well again
    QVERIFY(!bar()->isVisible());
}

// 403 and 429 are what pacing is for; the strip names them.
void TroubleTest::aProviderThatLimitsIsNoTrouble()
{
    for (const char *state : {"rejecting (403)", "rejecting (429)", "untried", "ok"}) {
        live::Snapshot snapshot = m_scene->next();
        snapshot.upstreamState = state;
        apply(snapshot);
        QVERIFY2(!bar()->isVisible(), state);
    }
}

void TroubleTest::aRateThatIsNotKeptIsSaid()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.unpaced = "not pacing new connections: there is no room";
    apply(snapshot);
    for (const char *part : {"The set rate is not kept.", "there is no room", "policy auto"})
        QVERIFY2(words().contains(QLatin1String(part)), qPrintable(words()));
    QTest::mouseClick(remedy(Kind::Unpaced), Qt::LeftButton);
    QCOMPARE(QApplication::focusWidget(),
             m_window->findChild<QWidget *>(QStringLiteral("spin_idle_ms")));
    apply(m_scene->next());
    QVERIFY(!bar()->isVisible());
}

void TroubleTest::aStallUnderAnotherPolicyIsEndedByAuto()
{
    QSignalSpy edited(m_window->commands(), &ProxyCommands::settingEdited);
    applyRefusals("adaptive", 4);
    QPushButton *button = remedy(Kind::StarvedByPolicy);
    QVERIFY2(button && button->isVisible(), qPrintable(words()));
    QVERIFY2(words().contains(QLatin1String("4 refused in the last minute")), qPrintable(words()));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edited.at(0).at(0).toString(), QStringLiteral("policy"));
    QCOMPARE(edited.at(0).at(1).toString(), QStringLiteral("auto"));
    QTest::keySequence(m_window.get(), QKeySequence::Undo); // and it can be taken back
    QCOMPARE(edited.count(), 2);
    QCOMPARE(edited.at(1).at(1).toString(), QStringLiteral("adaptive"));
}

// Wherever the person was, and also with the panel closed.
void TroubleTest::aStallForWantOfRateLeadsToItsSlider()
{
    m_window->showView(MainWindow::View::Live);
    QTest::keyClick(m_window.get(), Qt::Key_F8);
    m_window->showView(MainWindow::View::Ledger);
    applyRefusals("bucket", 1);
    QPushButton *button = remedy(Kind::StarvedByRate);
    QVERIFY2(button && button->isVisible(), qPrintable(words()));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(m_window->currentView(), MainWindow::View::Live);
    auto *spin = m_window->findChild<QWidget *>(QStringLiteral("spin_rate_per_min"));
    QVERIFY(spin->isVisible());
    QCOMPARE(QApplication::focusWidget(), spin);
}

void TroubleTest::otherFiguresOfAStallKeepItsButton()
{
    applyRefusals("bucket", 1);
    QPushButton *before = remedy(Kind::StarvedByRate);
    QTest::mousePress(before, Qt::LeftButton);
    applyRefusals("bucket", 7);
    QVERIFY2(words().contains(QLatin1String("8 refused in the last minute")), qPrintable(words()));
    QCOMPARE(remedy(Kind::StarvedByRate), before);
    QTest::mouseRelease(before, Qt::LeftButton);
    QCOMPARE(m_window->currentView(), MainWindow::View::Live);
}

void TroubleTest::aTakenPortNamesItsOwnerAndOffersAnother()
{
    QSignalSpy asked(m_window.get(), &MainWindow::remedyRequested);
    m_window->setTrouble(portTaken(QStringLiteral("127.0.0.1:17421 is held by python3 (pid 7)"),
                                   QStringLiteral("127.0.0.1:40123")));
    QVERIFY2(words().contains(QLatin1String("held by python3 (pid 7)")), qPrintable(words()));
    QVERIFY(words().contains(QLatin1String("no client can reach it")));
    QPushButton *other = remedy(Kind::PortTaken);
    QVERIFY(other && other->isVisible());
    QCOMPARE(other->text(), QStringLiteral("Listen on 127.0.0.1:40123"));
    QTest::mouseClick(other, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.at(0).at(0).value<Kind>(), Kind::PortTaken);
    m_window->setTrouble(std::nullopt);
    QVERIFY(!bar()->isVisible());
}

void TroubleTest::aRunningHeadwayIsOffered()
{
    QSignalSpy asked(m_window.get(), &MainWindow::remedyRequested);
    m_window->setTrouble(
        alreadyRunning(QStringLiteral("a Headway runs at 127.0.0.1:17421 (pid 7)")));
    QVERIFY(words().contains(QLatin1String("A Headway runs at 127.0.0.1:17421 (pid 7).")));
    remedy(Kind::AlreadyRunning)->setFocus();
    QTest::keyClick(remedy(Kind::AlreadyRunning), Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.at(0).at(0).value<Kind>(), Kind::AlreadyRunning);
}

void TroubleTest::withoutUpstreamTheWayToSetupIsOneKeyAway()
{
    QSignalSpy asked(m_window.get(), &MainWindow::remedyRequested);
    m_window->setTrouble(noUpstream(QStringLiteral("no upstream is set for turns")));
    QVERIFY(words().contains(QLatin1String("No upstream is set for turns.")));
    remedy(Kind::NoUpstream)->setFocus();
    QTest::keyClick(remedy(Kind::NoUpstream), Qt::Key_Space);
    QCOMPARE(m_window->currentView(), MainWindow::View::Setup);
    QCOMPARE(asked.count(), 0);
}

void TroubleTest::aMissingCredentialIsSaidWhileTheProxyRuns()
{
    m_window->setTrouble(
        credentialMissing(QStringLiteral("there is no credential for api.example")));
    apply(m_scene->next());
    QVERIFY(words().contains(QLatin1String("There is no credential for api.example.")));
    QVERIFY(m_window->findChild<TopStrip *>()->isEnabled());
}

void TroubleTest::aMissingSignInIsMadeFromTheBanner()
{
    SignInDesk *const desk = m_window->signInDesk();
    QSignalSpy asked(desk, &SignInDesk::requested);
    applyNotSignedIn();
    QPushButton *button = remedy(Kind::NotSignedIn);
    QVERIFY(button && button->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Sign in…"));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    QVERIFY(dialog() && dialog()->isVisible());
    desk->show({.phase = SignInStep::Phase::Waiting,
                .page = QStringLiteral("https://auth.example/codex/device"),
                .code = QStringLiteral("ABCD-EFGH"),
                .minutes = 15});
    QVERIFY(inDialog<QLabel>("sign_in_text")
                ->text()
                .contains(QLatin1String("https://auth.example/codex/device")));
    QCOMPARE(inDialog<QLabel>("sign_in_code")->text(), QStringLiteral("ABCD-EFGH"));
    QVERIFY(inDialog<QLabel>("sign_in_note")->text().contains(QLatin1String("15 minute")));
    QTest::keyClick(inDialog<QPushButton>("sign_in_copy"), Qt::Key_Space);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("ABCD-EFGH"));
    desk->show({.phase = SignInStep::Phase::Done});
    QVERIFY(!dialog()->isVisible());
    apply(m_scene->next());
    QVERIFY(!bar()->isVisible());
}

void TroubleTest::aSignInThatFailsIsTriedAgain()
{
    SignInDesk *const desk = m_window->signInDesk();
    QSignalSpy asked(desk, &SignInDesk::requested);
    QSignalSpy cancelled(desk, &SignInDesk::cancelled);
    applyNotSignedIn();
    QTest::mouseClick(remedy(Kind::NotSignedIn), Qt::LeftButton);
    desk->show(
        {.phase = SignInStep::Phase::Failed, .reason = QStringLiteral("the code has expired")});
    QVERIFY(
        inDialog<QLabel>("sign_in_text")->text().contains(QLatin1String("the code has expired")));
    QVERIFY(
        inDialog<QLabel>("sign_in_note")->text().contains(QLatin1String("Nothing was changed")));
    QVERIFY(!inDialog<QLabel>("sign_in_code")->isVisible());
    QTest::mouseClick(inDialog<QPushButton>("sign_in_again"), Qt::LeftButton);
    QCOMPARE(asked.count(), 2);
    QTest::keyClick(dialog(), Qt::Key_Escape);
    QCOMPARE(cancelled.count(), 1);
    // What a sign-in that was given up still tells opens nothing.
    desk->show({.phase = SignInStep::Phase::Asking});
    QVERIFY(!dialog()->isVisible());
}

void TroubleTest::aRefusedSignInIsMadeFromTheBannerToo()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.signIn.state = live::SignInState::SignedIn;
    snapshot.upstreamState = "rejecting (401)";
    apply(snapshot);
    QVERIFY2(words().contains(QLatin1String("does not take the sign-in any more (401)")),
             qPrintable(words()));
    QVERIFY(remedy(Kind::NotSignedIn));
}

// The tokens belong to the machine of the proxy. One that is too old to tell of its sign-in says it
// with the first turn.
void TroubleTest::aSignInElsewhereIsMadeThere()
{
    m_window->setLink({LinkState::Phase::Live, QStringLiteral("wss://proxy.example"), {}, 0});
    applyNotSignedIn();
    QVERIFY2(words().contains(QLatin1String("Sign in where the proxy runs.")), qPrintable(words()));
    QVERIFY(!remedy(Kind::NotSignedIn));
    m_window->showView(MainWindow::View::Setup);
    QVERIFY(!m_window->findChild<QPushButton *>(QStringLiteral("sign_in"))->isVisible());
    QVERIFY(m_window->findChild<QLabel *>(QStringLiteral("credential"))
                ->text()
                .contains(QLatin1String("where the proxy at wss://proxy.example runs")));
}

void TroubleTest::aSilentProxyIsSaidAndItsFiguresAreGreyed()
{
    apply(m_scene->next());
    QTRY_VERIFY_WITH_TIMEOUT(bar()->isVisible(), 6'000);
    QCOMPARE(bar()->troubles()[0].kind, Kind::Silent);
    QVERIFY2(words().contains(QLatin1String("No news from the proxy for ")), qPrintable(words()));
    QVERIFY(!m_window->findChild<TopStrip *>()->isEnabled());
    apply(m_scene->next());
    QVERIFY(!bar()->isVisible());
    QVERIFY(m_window->findChild<TopStrip *>()->isEnabled());
}

void TroubleTest::aProxyThatNeverStartedIsNotCalledSilent()
{
    m_window->setTrouble(notStarted(QStringLiteral("the certificate cannot be read")));
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY_WITH_TIMEOUT(clock.hasExpired(3'000), 6'000);
    QCOMPARE(bar()->troubles().size(), std::size_t(1));
    QCOMPARE(bar()->troubles()[0].kind, Kind::NotStarted);
}

void TroubleTest::stoppingIsSaid()
{
    QTest::keyClick(m_window.get(), Qt::Key_Q, Qt::ControlModifier);
    QVERIFY2(words().contains(QLatin1String("Headway is stopping.")), qPrintable(words()));
    QVERIFY(words().contains(QLatin1String("no new turns")));
}

void TroubleTest::theFirstRunSaysWhatToDo()
{
    MainWindow window;
    window.show();
    live::Snapshot snapshot;
    snapshot.at = Scene::start;
    snapshot.listening = "127.0.0.1:40123";
    snapshot.upstreamState = "untried";
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    const struct
    {
        MainWindow::View view;
        const char *title;
    } places[] = {{MainWindow::View::Live, "No turn yet: point a client here"},
                  {MainWindow::View::Heads, "No head yet"},
                  {MainWindow::View::Ledger, "No record yet"}};
    for (const auto &place : places) {
        window.showView(place.view);
        QStringList titles;
        for (const EmptyState *state : window.findChildren<EmptyState *>())
            if (state->isVisible() && state->isShowingMessage())
                titles << state->title();
        QVERIFY2(titles.contains(QLatin1String(place.title)), place.title);
    }
    QVERIFY(!window.findChild<TroubleBar *>()->isVisible()); // a first run is no trouble
}

void TroubleTest::aFilterThatHidesAllCanBeCleared_data()
{
    QTest::addColumn<int>("view");
    QTest::addColumn<QString>("filter");
    QTest::newRow("turns") << int(MainWindow::View::Live) << QStringLiteral("turn_filter");
    QTest::newRow("heads") << int(MainWindow::View::Heads) << QStringLiteral("head_filter");
    QTest::newRow("ledger") << int(MainWindow::View::Ledger) << QStringLiteral("ledger_filter");
}

void TroubleTest::aFilterThatHidesAllCanBeCleared()
{
    QFETCH(const int, view);
    QFETCH(const QString, filter);
    m_window->showView(static_cast<MainWindow::View>(view));
    auto *field = m_window->findChild<QLineEdit *>(filter);
    if (filter == QLatin1String("ledger_filter")) // its other filter is cleared as well
        m_window->findChild<QComboBox *>(QStringLiteral("ledger_kind"))->setCurrentIndex(2);
    QTest::keyClicks(field, QStringLiteral("there is no such thing"));
    const auto shown = [this]() -> EmptyState * {
        for (EmptyState *state : m_window->findChildren<EmptyState *>())
            if (state->isVisible() && state->isShowingMessage())
                return state;
        return nullptr;
    };
    QVERIFY(shown() != nullptr);
    QCOMPARE(shown()->title(), QStringLiteral("The filter hides everything"));
    apply(m_scene->next()); // it stays while news comes
    QVERIFY(shown() != nullptr);
    auto *clear = shown()->findChild<QPushButton *>(QStringLiteral("clear_filter"));
    QTest::mouseClick(clear, Qt::LeftButton);
    QVERIFY(field->text().isEmpty());
    QVERIFY(shown() == nullptr);
    if (filter == QLatin1String("ledger_filter"))
        QCOMPARE(m_window->findChild<QComboBox *>(QStringLiteral("ledger_kind"))->currentIndex(),
                 0);
}

void TroubleTest::theGravestComesFirst()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.ledgerState = "there is no room left for /l";
    snapshot.upstreamState = "unreachable: x";
    apply(snapshot);
    QCOMPARE(bar()->troubles().size(), std::size_t(2));
    QCOMPARE(bar()->troubles()[0].kind, Kind::UpstreamDown);
    QCOMPARE(bar()->troubles()[0].sign(), Meaning::Failed);
    QCOMPARE(bar()->troubles()[1].kind, Kind::LedgerFull);
    QCOMPARE(bar()->troubles()[1].sign(), Meaning::Waiting);
}

// A button that is made anew ten times a second cannot be pressed.
void TroubleTest::theSameTroubleAgainKeepsItsButton()
{
    live::Snapshot snapshot = m_scene->next();
    snapshot.upstreamState = "rejecting (401)";
    apply(snapshot);
    QPushButton *before = remedy(Kind::CredentialRejected);
    QVERIFY(before);
    for (int i = 0; i < 5; ++i) {
        live::Snapshot next = m_scene->next();
        next.upstreamState = "rejecting (401)";
        apply(next);
    }
    QCOMPARE(remedy(Kind::CredentialRejected), before);
}

// Most of the turns in flight wait without hope.
void TroubleTest::starve(live::Snapshot &snapshot)
{
    snapshot.upstreamState = "rejecting (403)";
    snapshot.policy = "adaptive";
    snapshot.settings["policy"].value = snapshot.policy;
    snapshot.door = pacing::DoorState::CoolingDown;
    snapshot.totals.turnsRefused = 14;
    for (live::TurnRow &row : snapshot.turns) {
        if (row.phase == live::Phase::Streaming && row.turn.value() % 3 == 0)
            continue;
        row.phase = live::Phase::Queued;
        row.lacksOpening = true;
        row.lackedOpening = base::Milliseconds(41'000);
        row.queuePlace = row.turn.value();
        row.refusedThen = row.turn.value() % 2 == 0;
        row.remaining = base::Milliseconds(27'000);
    }
}

// Three troubles at once, and a filter that hides all.
void TroubleTest::breakAll(live::Snapshot &snapshot, MainWindow &window)
{
    snapshot.upstreamState = "unreachable: Connection refused";
    snapshot.ledgerState
        = "there is no room left for /home/me/.local/state/headway/ledger.sqlite; 812 records are "
          "kept in memory, trying again";
    window.setTrouble(portTaken(QStringLiteral("127.0.0.1:17421 is held by python3 (pid 7)"),
                                QStringLiteral("127.0.0.1:40123")));
    window.findChild<QLineEdit *>(QStringLiteral("turn_filter"))->setText(QStringLiteral("zzz"));
}

void TroubleTest::pictures_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("fontPercent");
    QTest::addColumn<bool>("stalls");
    QTest::newRow("trouble-light") << false << 100 << false;
    QTest::newRow("trouble-dark") << true << 100 << false;
    QTest::newRow("trouble-large") << false << 200 << false;
    QTest::newRow("stall-light") << false << 100 << true;
    QTest::newRow("stall-dark") << true << 100 << true;
    QTest::newRow("stall-large") << false << 200 << true;
}

void TroubleTest::pictures()
{
    QFETCH(const bool, dark);
    QFETCH(const int, fontPercent);
    QFETCH(const bool, stalls);
    applyAppearance(dark ? Appearance::Dark : Appearance::Light);
    const QFont before = QApplication::font();
    QFont font = before;
    font.setPointSizeF(before.pointSizeF() * fontPercent / 100.0);
    QApplication::setFont(font);
    MainWindow window;
    live::Snapshot snapshot = m_scene->history(300);
    if (stalls)
        starve(snapshot);
    else
        breakAll(snapshot, window);
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    static_cast<void>(renderWindow(window));
    const QImage image = renderWindow(window, QSize(1440, 900));
    QApplication::setFont(before);
    applyAppearance(Appearance::Light);
    QCOMPARE(image.size(), QSize(1440, 900));
    QVERIFY(QDir().mkpath(QStringLiteral("pictures")));
    QVERIFY(
        image.save(QStringLiteral("pictures/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
}

QTEST_MAIN(TroubleTest)
#include "tst_trouble.moc"
