// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a span, and the picture and the one-page report made of them (spec/ledger.md,
// "Reading").
#include "scene.h"
#include "ui/views/liveview.h"
#include "ui/views/report.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

class ReportTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheSecondsOfTheSpanCount();
    void nothingHappenedIsUnknownAndNotZero();
    void theMostOpenedInAMinuteIsOfAnySixtySeconds();
    void theReportIsOneWholePage();
    void aReportThatCannotBeWrittenSaysSoAndLeavesNothing();
    void thePictureHasTheWholeSpanOnALightGround();
};

namespace {

live::SecondStats second(std::int64_t at, std::uint32_t opened, std::uint32_t continued)
{
    live::SecondStats s;
    s.second = at;
    s.openedAtOnce = opened;
    s.continued = continued;
    s.inputTokens = 100;
    s.cachedTokens = 25;
    s.waits = opened;
    s.waitMaxMs = opened * 10.0;
    return s;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void ReportTest::onlyTheSecondsOfTheSpanCount()
{
    SecondRing ring;
    for (std::int64_t at = 1'000; at < 1'010; ++at)
        ring.put(second(at, 1, 3));
    const SpanFigures figures = spanFigures(ring, 1'006, 4); // 1002 … 1005
    QCOMPARE(figures.from, std::int64_t{1'002});
    QCOMPARE(figures.reported, 4);
    QCOMPARE(figures.openedAtOnce, std::uint64_t{4});
    QCOMPARE(figures.started, std::uint64_t{16});
    QCOMPARE(*figures.reuse, 0.75);
    QCOMPARE(*figures.cached, 0.25);
    QCOMPARE(*figures.longestWaitMs, 10.0);
}

void ReportTest::nothingHappenedIsUnknownAndNotZero()
{
    const SpanFigures figures = spanFigures(SecondRing(), 1'000, 60);
    QCOMPARE(figures.reported, 0);
    QVERIFY(!figures.reuse && !figures.cached && !figures.longestWaitMs);
    const Report report = reportOf(figures, live::Snapshot(), QImage());
    for (const auto &[name, value] : report.figures)
        if (name == QLatin1String("longest wait") || name == QLatin1String("heads reused"))
            QCOMPARE(value, QStringLiteral("–"));
}

void ReportTest::theMostOpenedInAMinuteIsOfAnySixtySeconds()
{
    SecondRing ring;
    ring.put(second(1'000, 5, 0));
    ring.put(second(1'059, 7, 0)); // with the first in one minute
    ring.put(second(1'060, 4, 0)); // one second too late for that
    QCOMPARE(spanFigures(ring, 1'200, 200).mostOpenedInAMinute, std::uint32_t{12});
}

void ReportTest::theReportIsOneWholePage()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("r.pdf"));
    Scene scene;
    const live::Snapshot snapshot = scene.history(900);
    SecondRing ring;
    for (const live::SecondStats &each : snapshot.seconds)
        ring.put(each);
    LiveView view(ring);
    view.apply(std::make_shared<const live::Snapshot>(snapshot));
    const QImage charts = view.picture(900, QSize(900, 1'000));
    const auto now = std::chrono::floor<base::Seconds>(snapshot.at).time_since_epoch().count();
    const Report report = reportOf(spanFigures(ring, now, 900), snapshot, charts);
    QCOMPARE(writeReport(report, path), QString());
    const QByteArray pdf = contentOf(path);
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
    QVERIFY(!report.settings.isEmpty());
    // For eyes, beside the pictures of the window.
    QVERIFY(QDir().mkpath(QStringLiteral("pictures")));
    QCOMPARE(writeReport(report, QStringLiteral("pictures/report.pdf")), QString());
}

void ReportTest::aReportThatCannotBeWrittenSaysSoAndLeavesNothing()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("none/r.pdf"));
    const QString trouble = writeReport(Report(), path);
    QVERIFY(trouble.contains(path));
    QVERIFY(!writePicture(QImage(), folder.filePath(QStringLiteral("p.png"))).isEmpty());
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("p.png"))));
}

void ReportTest::thePictureHasTheWholeSpanOnALightGround()
{
    Scene scene;
    const auto snapshot = std::make_shared<const live::Snapshot>(scene.history(900));
    SecondRing ring;
    for (const live::SecondStats &each : snapshot->seconds)
        ring.put(each);
    LiveView live(ring);
    live.apply(snapshot);
    const QImage picture = live.picture(900, QSize(800, 600));
    QCOMPARE(picture.size(), QSize(800, 600));
    int inked = 0;
    for (int x = 0; x < picture.width(); ++x)
        for (int y = 0; y < picture.height(); y += 5)
            inked += qGray(picture.pixel(x, y)) < 200 ? 1 : 0;
    QVERIFY(inked > 500);
    QVERIFY(qGray(picture.pixel(1, 1)) > 240);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("p.png"));
    QCOMPARE(writePicture(picture, path), QString());
    QCOMPARE(QImage(path).size(), QSize(800, 600));
}

QTEST_MAIN(ReportTest)
#include "tst_report.moc"
