// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every place of the window into the build folder, for eyes: light, dark, large font, empty.
#include "scene.h"
#include "ui/format/appearance.h"
#include "ui/panels/doctorcard.h"
#include "ui/panels/recordtable.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/renderwindow.h"
#include "ui/views/setupview.h"
#include "ui/views/turnspanel.h"
#include "ui/views/whatifview.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include <memory>
#include <set>

using headway::test::Scene;
using namespace headway;

class PicturesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPlaceShowsSomething_data();
    void everyPlaceShowsSomething();
};

namespace {

// Two bursts of sixty and a trickle, over ten minutes.
std::vector<lab::Arrival> fanOut()
{
    std::vector<lab::Arrival> arrivals;
    for (int i = 0; i < 600; ++i) {
        const bool isBurst = i / 100 == 1 || i / 100 == 4;
        lab::Arrival arrival;
        arrival.at = base::Seconds(i);
        arrival.session = static_cast<std::uint64_t>(i % 3 + 1);
        for (int k = 0; k < (isBurst ? 2 : 1) && (isBurst || i % 3 == 0); ++k)
            arrivals.push_back(arrival);
    }
    return arrivals;
}

// What policy auto has learned, and a door that is not quite open.
void learn(live::Snapshot &snapshot)
{
    snapshot.estimate = {.shape = pacing::CeilingShape::Window,
                         .perMinute = 71,
                         .confidence = 0.8,
                         .measuredAt = snapshot.at - base::Seconds(192)};
    snapshot.door = pacing::DoorState::Probing;
    snapshot.doorFor = base::Milliseconds(3'400);
    snapshot.gated = 3;
    const auto quota = [&snapshot](const char *name, base::Seconds length, double used) {
        snapshot.quota.push_back({.meter = "codex",
                                  .name = name,
                                  .length = length,
                                  .usedPercent = used,
                                  .resetsAt = snapshot.at + length / 2});
    };
    quota("5 h", std::chrono::hours(5), 41);
    quota("7 d", std::chrono::hours(168), 93);
}

// Everything that a person can put above the settings.
void hold(live::Snapshot &snapshot)
{
    snapshot.overrides = {true, false, {"refactor-auth"}};
    std::size_t place = 0;
    for (live::TurnRow &row : snapshot.turns)
        if (row.phase == live::Phase::Queued) {
            row.held = true;
            row.queuePlace = ++place;
        }
}

void tryAuto(ui::MainWindow &window)
{
    auto *chooser = window.findChild<QComboBox *>(QStringLiteral("trial_policy_chooser"));
    QTest::keyClick(chooser, Qt::Key_End);
    QTRY_VERIFY(!window.places()->whatIf()->isShowingMessage());
    auto *verdict = window.findChild<QLabel *>(QStringLiteral("replay_verdict"));
    QTRY_VERIFY(!verdict->text().contains(QLatin1String("no difference")));
}

// Of the plan, which Setup shows.
void signIn(live::Snapshot &snapshot, bool isLacking)
{
    snapshot.upstream = "chatgpt";
    snapshot.signIn = {live::SignInState::SignedIn, "me@example.com", "pro", false, {}};
    if (!isLacking)
        return;
    snapshot.signIn = {live::SignInState::Lacking,
                       {},
                       {},
                       false,
                       "There is no sign-in to the ChatGPT plan. Run: headway login chatgpt"};
    snapshot.upstreamState = "no credential: " + snapshot.signIn.trouble;
}

void fillSetup(ui::MainWindow &window)
{
    const QString claude = QStringLiteral("/home/me/.claude/settings.json");
    window.setSetup(
        {{{QStringLiteral("Claude Code"),
           QStringLiteral("export ANTHROPIC_BASE_URL=http://127.0.0.1:17421/k/7f3c9a\n"
                          "export ANTHROPIC_MODEL=gpt-5.1-codex"),
           QStringLiteral("In the shell that starts claude."), claude, true,
           QStringLiteral("%1 is written; what it held before is kept in %1.before-headway.")
               .arg(claude)},
          {QStringLiteral("curl"),
           QStringLiteral("curl http://127.0.0.1:17421/k/7f3c9a/v1/models"),
           {}}},
         QStringLiteral("7f3c9a")});
    window.places()->setup()->doctor()->show(
        {.phase = ui::DoctorState::Phase::Done,
         .findings
         = {{QStringLiteral("port"), true,
             QStringLiteral("a Headway of this user has 127.0.0.1:17421")},
            {QStringLiteral("upstream"), false,
             QStringLiteral("https://api.example refused the upgrade with status 403")}}});
}

} // namespace

void PicturesTest::everyPlaceShowsSomething_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("fontPercent");
    QTest::addColumn<bool>("lively");
    for (const char *view : {"live", "heads", "ledger", "what-if", "setup"}) {
        QTest::addRow("%s-light", view) << QString::fromLatin1(view) << false << 100 << true;
        QTest::addRow("%s-dark", view) << QString::fromLatin1(view) << true << 100 << true;
    }
    QTest::addRow("what-if-large") << QStringLiteral("what-if") << false << 200 << true;
    QTest::addRow("what-if-empty") << QStringLiteral("what-if") << false << 100 << false;
    QTest::addRow("live-auto-light") << QStringLiteral("live") << false << 100 << true;
    QTest::addRow("live-auto-dark") << QStringLiteral("live") << true << 100 << true;
    QTest::addRow("live-auto-large") << QStringLiteral("live") << false << 200 << true;
    QTest::addRow("live-large") << QStringLiteral("live") << false << 200 << true;
    QTest::addRow("live-settings-light") << QStringLiteral("live") << false << 100 << true;
    QTest::addRow("live-paused-light") << QStringLiteral("live") << false << 100 << true;
    QTest::addRow("live-paused-dark") << QStringLiteral("live") << true << 100 << true;
    QTest::addRow("heads-large") << QStringLiteral("heads") << false << 200 << true;
    QTest::addRow("ledger-large") << QStringLiteral("ledger") << false << 200 << true;
    QTest::addRow("setup-large") << QStringLiteral("setup") << false << 200 << true;
    QTest::addRow("setup-unsigned-light") << QStringLiteral("setup") << false << 100 << true;
    QTest::addRow("live-unsigned-light") << QStringLiteral("live") << false << 100 << true;
    QTest::addRow("live-unsigned-large") << QStringLiteral("live") << false << 200 << true;
    QTest::addRow("setup-empty") << QStringLiteral("setup") << false << 100 << false;
    QTest::addRow("live-empty") << QStringLiteral("live") << false << 100 << false;
}

void PicturesTest::everyPlaceShowsSomething()
{
    QFETCH(const QString, view);
    QFETCH(const bool, dark);
    QFETCH(const int, fontPercent);
    QFETCH(const bool, lively);
    ui::applyAppearance(dark ? ui::Appearance::Dark : ui::Appearance::Light);
    const QFont before = QApplication::font();
    QFont font = before;
    font.setPointSizeF(before.pointSizeF() * fontPercent / 100.0);
    QApplication::setFont(font);

    ui::MainWindow window;
    if (lively)
        fillSetup(window);
    window.places()->whatIf()->setLedgerReader(
        [lively](base::Milliseconds) { return lively ? fanOut() : std::vector<lab::Arrival>(); });
    QVERIFY(window.showView(view));
    const QByteArray tag(QTest::currentDataTag());
    const bool isAuto = tag.contains("auto");
    if (tag.contains("settings")) {
        for (const char *group : {"group_tokens", "group_heads"})
            window.findChild<QToolButton *>(QLatin1String(group))->click();
    }
    if (lively) {
        Scene scene;
        if (isAuto)
            scene.set("policy", "auto", "window");
        window.apply(std::make_shared<const live::Snapshot>(scene.history(320)));
        for (int i = 0; i < 57; ++i) {
            live::Snapshot snapshot = scene.next();
            if (isAuto)
                learn(snapshot);
            if (tag.contains("paused"))
                hold(snapshot);
            if (tag.contains("setup") || tag.contains("unsigned"))
                signIn(snapshot, tag.contains("unsigned"));
            if (i == 20) {
                snapshot.changes.push_back(
                    {snapshot.at - base::Seconds(96), "rate_per_min", "40", "60", "window"});
                snapshot.changes.push_back(
                    {snapshot.at - base::Seconds(31), "burst", "4", "10", "window"});
            }
            window.apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
        }
        static_cast<void>(ui::renderWindow(window));
        window.places()->live()->turns()->table()->selectRow(1);
        if (view == QLatin1String("what-if"))
            tryAuto(window);
    } else {
        live::Snapshot snapshot;
        snapshot.at = Scene::start;
        snapshot.listening = "127.0.0.1:17421";
        snapshot.upstreamState = "untried";
        snapshot.ledgerState = "ok";
        snapshot.settings["policy"] = {"bucket", "file", false};
        window.apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
        static_cast<void>(ui::renderWindow(window));
        if (view == QLatin1String("what-if"))
            QTRY_VERIFY(window.places()->whatIf()->message().contains(QLatin1String("Nothing")));
    }
    const QImage image = ui::renderWindow(window, QSize(1440, 900));
    QCOMPARE(image.size(), QSize(1440, 900));
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y));
    QVERIFY2(colors.size() > 20, "the picture is blank");
    const QString file
        = QStringLiteral("pictures/%1.png").arg(QLatin1String(QTest::currentDataTag()));
    QVERIFY(QDir().mkpath(QStringLiteral("pictures")));
    QVERIFY(image.save(file));
    QApplication::setFont(before);
}

QTEST_MAIN(PicturesTest)
#include "tst_pictures.moc"
