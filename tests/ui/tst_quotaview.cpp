// SPDX-License-Identifier: GPL-3.0-or-later
// The account's quota windows with their reset clocks (spec/window.md, Live and the sketch).
#include "scene.h"
#include "ui/format/quotawords.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/quotaview.h"
#include "ui/panels/topstrip.h"
#include "ui/views/mainwindow.h"

#include <QDateTime>
#include <QTest>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

namespace {

base::WallTime at(int day, int hour, int minute)
{
    const QDateTime time(QDate(2026, 3, day), QTime(hour, minute));
    return base::WallTime(base::Milliseconds(time.toMSecsSinceEpoch()));
}

pacing::QuotaWindow window(const char *name, double used, std::optional<base::WallTime> resets)
{
    return {"codex", name, base::Seconds{300 * 60}, used, resets};
}

} // namespace

class QuotaViewTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theClockNamesTheDayWhereItIsAnother_data();
    void theClockNamesTheDayWhereItIsAnother();
    void whatIsNotToldIsADash();
    void anotherMeterIsNamed();
    void theSignWarnsBeforeItIsUsedUp_data();
    void theSignWarnsBeforeItIsUsedUp();
    void everyWindowHasItsGauge();
    void theStripNamesTheFullest();
    void withoutQuotaNothingIsShown();
};

void QuotaViewTest::theClockNamesTheDayWhereItIsAnother_data()
{
    QTest::addColumn<qint64>("resets");
    QTest::addColumn<QString>("clock");
    const auto row = [](const char *name, base::WallTime when, const QString &clock) {
        QTest::newRow(name) << qint64(when.time_since_epoch().count()) << clock;
    };
    // 2026-03-04 is a Wednesday.
    row("today", at(4, 14, 20), QStringLiteral("14:20"));
    row("tomorrow", at(5, 0, 5), QStringLiteral("Thu 00:05"));
    row("in six days", at(10, 9, 0), QStringLiteral("Tue 09:00"));
    row("in a week", at(11, 9, 0), QStringLiteral("2026-03-11 09:00"));
    row("yesterday", at(3, 9, 0), QStringLiteral("2026-03-03 09:00"));
}

void QuotaViewTest::theClockNamesTheDayWhereItIsAnother()
{
    QFETCH(const qint64, resets);
    QFETCH(const QString, clock);
    const pacing::QuotaWindow quota = window("5 h", 41, base::WallTime(base::Milliseconds(resets)));
    QCOMPARE(resetClock(quota, at(4, 9, 0)), clock);
}

void QuotaViewTest::whatIsNotToldIsADash()
{
    const pacing::QuotaWindow quota = window("5 h", 41, std::nullopt);
    QCOMPARE(quotaWords(quota, at(4, 9, 0)), QStringLiteral("41\u00a0%, resets –"));
    QVERIFY(quotaSentence(quota, at(4, 9, 0)).contains(QLatin1String("did not tell")));
}

void QuotaViewTest::anotherMeterIsNamed()
{
    pacing::QuotaWindow quota = window("7 d", 1, std::nullopt);
    QCOMPARE(quotaName(quota), QStringLiteral("7 d quota"));
    quota.meter = "spark";
    QCOMPARE(quotaName(quota), QStringLiteral("7 d quota of spark"));
}

void QuotaViewTest::theSignWarnsBeforeItIsUsedUp_data()
{
    QTest::addColumn<double>("used");
    QTest::addColumn<int>("meaning");
    QTest::newRow("some") << 79.9 << int(Meaning::Active);
    QTest::newRow("most") << 80.0 << int(Meaning::Waiting);
    QTest::newRow("nearly all") << 99.9 << int(Meaning::Waiting);
    QTest::newRow("all") << 100.0 << int(Meaning::Limit);
}

void QuotaViewTest::theSignWarnsBeforeItIsUsedUp()
{
    QFETCH(const double, used);
    QFETCH(const int, meaning);
    QCOMPARE(int(quotaMeaning(window("5 h", used, std::nullopt))), meaning);
}

void QuotaViewTest::everyWindowHasItsGauge()
{
    MainWindow main;
    main.show();
    live::Snapshot snapshot = Scene().next();
    snapshot.at = at(4, 12, 0);
    snapshot.quota = {window("5 h", 41, at(4, 14, 20)), window("7 d", 86, at(6, 8, 0))};
    main.apply(std::make_shared<const live::Snapshot>(snapshot));
    QStringList texts;
    QStringList spoken;
    for (const QuotaGauge *gauge : main.findChildren<QuotaGauge *>()) {
        QVERIFY(gauge->isVisible());
        texts << gauge->text();
        spoken << gauge->accessibleName();
    }
    QCOMPARE(texts,
             (QStringList{QStringLiteral("5 h quota 41\u00a0%, resets 14:20"),
                          QStringLiteral("7 d quota 86\u00a0%, resets Fri 08:00")}));
    QCOMPARE(
        spoken.value(0),
        QStringLiteral("5 h quota: 41\u00a0% used, resets 14:20, in 2\u00a0h\u00a020\u00a0min"));
    snapshot.quota.pop_back();
    main.apply(std::make_shared<const live::Snapshot>(snapshot));
    QCOMPARE(main.findChildren<QuotaGauge *>().size(), 1);
}

void QuotaViewTest::theStripNamesTheFullest()
{
    MainWindow main;
    main.show();
    live::Snapshot snapshot = Scene().next();
    snapshot.at = at(4, 12, 0);
    snapshot.quota = {window("5 h", 41, at(4, 14, 20)), window("7 d", 86, at(4, 20, 0))};
    main.apply(std::make_shared<const live::Snapshot>(snapshot));
    QStringList texts;
    for (const ElidedLabel *label : main.findChild<TopStrip *>()->findChildren<ElidedLabel *>())
        texts << label->text();
    QVERIFY2(texts.join(u'\n').contains(QStringLiteral("7 d quota 86\u00a0%, resets 20:00")),
             qPrintable(texts.join(u'\n')));
}

void QuotaViewTest::withoutQuotaNothingIsShown()
{
    MainWindow main;
    main.show();
    main.apply(std::make_shared<const live::Snapshot>(Scene().next()));
    QVERIFY(!main.findChild<QuotaView *>()->isVisible());
}

QTEST_MAIN(QuotaViewTest)
#include "tst_quotaview.moc"
