// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/doctorcard.h"
#include "ui/views/setupview.h"

#include <QCheckBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace headway;
using namespace headway::ui;

Q_DECLARE_METATYPE(headway::live::SignIn)

class SetupViewTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theKeyIsMaskedUntilRevealed();
    void copyGivesTheKeyInClear();
    void withoutAKeyThereIsNothingToReveal();
    void otherTextsReplaceTheOldOnes();
    void theLinesAreAsLargeAsTheRest();
    void theSignInIsSaidAndCanBeMade_data();
    void theSignInIsSaidAndCanBeMade();
    void withoutAnUpstreamItSaysHowToSetOne();
    void theDoctorsFindingsAreListed();
    void aDoctorThatCannotLookSaysWhy();
    void notificationsAreChosenHereToo();
    void aConfigurationIsWrittenAndRestoredWithoutLosingTheFocus();
};

namespace {

SetupTexts texts(const QString &key)
{
    return {{{QStringLiteral("Claude Code"), QStringLiteral("export A=http://h/k/") + key, {}},
             {QStringLiteral("curl"), QStringLiteral("curl h"), {}}},
            key};
}

QString shown(const SetupView &view)
{
    QString all;
    for (const QPlainTextEdit *edit : view.findChildren<QPlainTextEdit *>())
        all += edit->toPlainText() + u'\n';
    return all;
}

} // namespace

void SetupViewTest::theKeyIsMaskedUntilRevealed()
{
    SetupView view;
    view.show();
    view.setTexts(texts(QStringLiteral("s3cret")));
    QVERIFY(!shown(view).contains(QLatin1String("s3cret")));
    auto *reveal = view.findChild<QCheckBox *>(QStringLiteral("reveal_key"));
    QVERIFY(reveal->isVisible());
    QTest::keyClick(reveal, Qt::Key_Space);
    QVERIFY(shown(view).contains(QLatin1String("/k/s3cret")));
    QTest::keyClick(reveal, Qt::Key_Space);
    QVERIFY(!shown(view).contains(QLatin1String("s3cret")));
}

void SetupViewTest::copyGivesTheKeyInClear()
{
    SetupView view;
    view.show();
    view.setTexts(texts(QStringLiteral("s3cret")));
    QSignalSpy copies(&view, &SetupView::copyRequested);
    for (QPushButton *button : view.findChildren<QPushButton *>())
        if (button->isVisible() && button->accessibleName().contains(QLatin1String("Claude")))
            QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(copies.count(), 1);
    QCOMPARE(copies.at(0).at(0).toString(), QStringLiteral("export A=http://h/k/s3cret"));
}

void SetupViewTest::withoutAKeyThereIsNothingToReveal()
{
    SetupView view;
    view.show();
    view.setTexts(texts({}));
    QVERIFY(!view.findChild<QCheckBox *>(QStringLiteral("reveal_key"))->isVisible());
    QVERIFY(shown(view).contains(QLatin1String("http://h/k/")));
}

void SetupViewTest::otherTextsReplaceTheOldOnes()
{
    SetupView view;
    view.setTexts(texts(QStringLiteral("old-key")));
    view.setTexts(texts(QStringLiteral("new-key")));
    QCOMPARE(view.findChildren<QPlainTextEdit *>().size(), 2);
}

void SetupViewTest::theLinesAreAsLargeAsTheRest()
{
    SetupView view;
    view.show();
    view.setTexts(texts(QString()));
    for (const int size : {11, 22}) {
        QFont font = view.font();
        font.setPointSize(size);
        view.setFont(font);
        const auto edits = view.findChildren<QPlainTextEdit *>();
        QCOMPARE(edits.size(), 2);
        for (const QPlainTextEdit *edit : edits) {
            QCOMPARE(edit->font().pointSize(), size);
            QVERIFY(edit->height() > QFontMetrics(edit->font()).height());
        }
    }
}

void SetupViewTest::theSignInIsSaidAndCanBeMade_data()
{
    QTest::addColumn<live::SignIn>("signIn");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("button"); // empty: none
    using State = live::SignInState;
    QTest::newRow("none is asked for, or the proxy is too old to tell")
        << live::SignIn{} << QString() << QString();
    QTest::newRow("not known yet")
        << live::SignIn{State::Looking, {}, {}, false, {}}
        << QStringLiteral("Looking for a sign-in to the ChatGPT plan …") << QString();
    QTest::newRow("signed in") << live::SignIn{State::SignedIn, "me@example.com", "pro", false, {}}
                               << QStringLiteral(
                                      "Signed in to the ChatGPT plan as me@example.com (pro).")
                               << QStringLiteral("Sign in again…");
    QTest::newRow("by Codex")
        << live::SignIn{State::SignedIn, "acc-1", {}, true, {}}
        << QStringLiteral("Signed in to the ChatGPT plan as acc-1, with what Codex stored; only "
                          "Codex renews that.")
        << QStringLiteral("Sign in again…");
    QTest::newRow("cannot be renewed now")
        << live::SignIn{State::Unrenewed, "acc-1", {}, false, "It could not be renewed: refused"}
        << QStringLiteral("Signed in to the ChatGPT plan as acc-1. It could not be renewed: "
                          "refused. The next turn tries again.")
        << QStringLiteral("Sign in again…");
    QTest::newRow("lacking") << live::SignIn{State::Lacking, {}, {}, false, "It has ended. Run: x"}
                             << QStringLiteral("Not signed in. It has ended. Run: x. Every turn is "
                                               "refused until then.")
                             << QStringLiteral("Sign in…");
}

void SetupViewTest::theSignInIsSaidAndCanBeMade()
{
    QFETCH(const live::SignIn, signIn);
    QFETCH(const QString, words);
    QFETCH(const QString, button);
    SetupView view;
    view.show();
    live::Snapshot snapshot;
    snapshot.upstream = "chatgpt";
    snapshot.signIn = signIn;
    view.apply(snapshot);
    QCOMPARE(view.findChild<QLabel *>(QStringLiteral("credential"))->text(), words);
    auto *press = view.findChild<QPushButton *>(QStringLiteral("sign_in"));
    QCOMPARE(press->isVisible(), !button.isEmpty());
    if (button.isEmpty())
        return;
    QCOMPARE(press->text(), button);
    QSignalSpy asked(&view, &SetupView::signInRequested);
    QTest::keyClick(press, Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
}

void SetupViewTest::withoutAnUpstreamItSaysHowToSetOne()
{
    SetupView view;
    view.show();
    view.apply({});
    const auto *label = view.findChild<QLabel *>(QStringLiteral("credential"));
    QVERIFY(label->isVisible());
    for (const char *part : {"HEADWAY_UPSTREAM", "openai", "chatgpt", "start Headway again"})
        QVERIFY2(label->text().contains(QLatin1String(part)), part);
}

void SetupViewTest::theDoctorsFindingsAreListed()
{
    SetupView view;
    view.show();
    QSignalSpy asked(view.doctor(), &DoctorCard::requested);
    auto *run = view.findChild<QPushButton *>(QStringLiteral("doctor_run"));
    QTest::keyClick(run, Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    view.doctor()->show({.phase = DoctorState::Phase::Looking});
    QVERIFY(!run->isEnabled()); // one look at a time
    view.doctor()->show(
        {.phase = DoctorState::Phase::Done,
         .findings = {{QStringLiteral("disk"), true, QStringLiteral("9000 MiB free")},
                      {QStringLiteral("port"), false, QStringLiteral("held by python3")}}});
    QVERIFY(run->isEnabled());
    const auto *text = view.findChild<QLabel *>(QStringLiteral("doctor_text"));
    QVERIFY2(text->text().startsWith(QLatin1Char('1')), qPrintable(text->text()));
    const auto findings = view.findChildren<QLabel *>(QStringLiteral("finding"));
    QCOMPARE(findings.size(), 2);
    QCOMPARE(findings[0]->text(), QStringLiteral("disk: 9000 MiB free"));
    QVERIFY(findings[0]->accessibleName().startsWith(QLatin1String("well")));
    QCOMPARE(findings[1]->text(), QStringLiteral("port: held by python3"));
    QVERIFY(findings[1]->accessibleName().startsWith(QLatin1String("to put right")));
    view.doctor()->show({.phase = DoctorState::Phase::Done,
                         .findings = {{QStringLiteral("disk"), true, QStringLiteral("fine")}}});
    QCOMPARE(view.findChildren<QLabel *>(QStringLiteral("finding")).size(), 1);
    QCOMPARE(text->text(), QStringLiteral("All is well."));
    view.doctor()->show(
        {.phase = DoctorState::Phase::Failed, .reason = QStringLiteral("there is no program")});
    QVERIFY(text->text().contains(QLatin1String("there is no program")));
    QVERIFY(run->isEnabled());
}

void SetupViewTest::aDoctorThatCannotLookSaysWhy()
{
    SetupView view;
    view.show();
    view.setElsewhere(QStringLiteral("wss://proxy.example"));
    QVERIFY(!view.findChild<QPushButton *>(QStringLiteral("doctor_run"))->isEnabled());
    QVERIFY(view.findChild<QLabel *>(QStringLiteral("doctor_text"))
                ->text()
                .contains(QLatin1String("wss://proxy.example")));
}

void SetupViewTest::notificationsAreChosenHereToo()
{
    SetupView view;
    view.show();
    QSignalSpy chosen(&view, &SetupView::notificationsChosen);
    auto *box = view.findChild<QCheckBox *>(QStringLiteral("notify"));
    view.showNotifications(true);
    QVERIFY(box->isChecked());
    QCOMPARE(chosen.count(), 0);
    QTest::keyClick(box, Qt::Key_Space);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).toBool(), false);
}

void SetupViewTest::aConfigurationIsWrittenAndRestoredWithoutLosingTheFocus()
{
    SetupView view;
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    SetupTexts lines = texts({});
    lines.clients[0].file = QStringLiteral("/home/me/.claude/settings.json");
    view.setTexts(lines);
    QSignalSpy writes(&view, &SetupView::writeRequested);
    QSignalSpy restores(&view, &SetupView::restoreRequested);
    const auto writers = view.findChildren<QPushButton *>(QStringLiteral("write_client"));
    const auto restorers = view.findChildren<QPushButton *>(QStringLiteral("restore_client"));
    QVERIFY(writers[0]->isVisible());
    QVERIFY(!writers[1]->isVisible()); // curl has no configuration
    QVERIFY(!restorers[0]->isEnabled()); // nothing to give back
    writers[0]->setFocus();
    QTest::keyClick(writers[0], Qt::Key_Space);
    QCOMPARE(writes.value(0).value(0).toString(), QStringLiteral("Claude Code"));
    lines.clients[0].canRestore = true;
    lines.clients[0].outcome = QStringLiteral("It is written.");
    view.setTexts(lines);
    QCOMPARE(view.focusWidget(), writers[0]);
    const auto *outcome = view.findChildren<QLabel *>(QStringLiteral("client_outcome"))[0];
    QVERIFY(outcome->isVisible());
    QVERIFY(outcome->text().contains(QLatin1String("It is written.")));
    QTest::keyClick(restorers[0], Qt::Key_Space);
    QCOMPARE(restores.value(0).value(0).toString(), QStringLiteral("Claude Code"));
}

QTEST_MAIN(SetupViewTest)
#include "tst_setupview.moc"
