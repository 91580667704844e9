// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a span, and the picture and the one-page report made of them (spec/ledger.md,
// "Reading").
#include "scene.h"
#include "ui/views/chartpicture.h"
#include "ui/views/exportdesk.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/report.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

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
    void anExportOfTheChartsGoesOnBesideTheWindow_data();
    void anExportOfTheChartsGoesOnBesideTheWindow();
    void aCancelledExportLeavesNothing_data();
    void aCancelledExportLeavesNothing();
    void oneExportAtATime();
    void aClosedWindowWaitsForItsExport();
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

QImage pictureOf(const LiveView &view, int seconds, const QSize &size)
{
    ChartPicture picture(view, seconds, size);
    QSignalSpy finished(&picture, &ChartPicture::finished);
    picture.start();
    return finished.wait() ? finished.at(0).at(0).value<QImage>() : QImage();
}

// A window with something to draw, and its export dialog.
struct Desk
{
    explicit Desk(const QString &format)
    {
        window.show();
        window.apply(std::make_shared<const live::Snapshot>(scene.history(900)));
        ask(format);
    }
    void ask(const QString &format)
    {
        window.findChild<QAction *>(QStringLiteral("action_export"))->trigger();
        auto *formats = child<QComboBox>("export_format");
        formats->setCurrentIndex(formats->findData(format));
        path = folder.filePath(QStringLiteral("out.") + format);
        child<QLineEdit>("export_path")->setText(path);
    }
    void accept() const { QTest::mouseClick(child<QPushButton>("export_accept"), Qt::LeftButton); }
    [[nodiscard]] QString message() const
    {
        return child<QWidget>("status_message")->accessibleName();
    }
    template <typename Widget>
    [[nodiscard]] Widget *child(const char *name) const
    {
        return window.findChild<Widget *>(QLatin1String(name));
    }
    [[nodiscard]] QStringList files() const
    {
        return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
    }

    QTemporaryDir folder;
    Scene scene;
    MainWindow window;
    QString path;
};

void bothFormats()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("png") << QStringLiteral("png");
    QTest::newRow("pdf") << QStringLiteral("pdf");
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
    const QImage charts = pictureOf(view, 900, QSize(900, 1'000));
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
    const QImage picture = pictureOf(live, 900, QSize(800, 600));
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

void ReportTest::anExportOfTheChartsGoesOnBesideTheWindow_data()
{
    bothFormats();
}

void ReportTest::anExportOfTheChartsGoesOnBesideTheWindow()
{
    QFETCH(const QString, format);
    Desk desk(format);
    QSignalSpy ledger(desk.window.exportDesk(), &ExportDesk::requested);
    desk.accept();
    QVERIFY(!QFile::exists(desk.path)); // it has only begun
    const auto *bar = desk.child<QProgressBar>("export_progress");
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(bar->text().contains(u'%') && !bar->text().contains(QLatin1String("records")));
    const auto before = desk.window.snapshotsApplied();
    desk.window.apply(std::make_shared<const live::Snapshot>(desk.scene.next()));
    QCOMPARE(desk.window.snapshotsApplied(), before + 1);
    QTRY_COMPARE(desk.message(), QStringLiteral("Exported to %1.").arg(desk.path));
    QVERIFY(!bar->isVisible());
    QVERIFY(contentOf(desk.path).startsWith(format == QLatin1String("png") ? "\x89PNG" : "%PDF-"));
    QCOMPARE(desk.files().size(), 1);
    QCOMPARE(ledger.count(), 0);
}

void ReportTest::aCancelledExportLeavesNothing_data()
{
    bothFormats();
}

void ReportTest::aCancelledExportLeavesNothing()
{
    QFETCH(const QString, format);
    Desk desk(format);
    desk.accept();
    auto *cancel = desk.child<QPushButton>("export_cancel");
    QTRY_VERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY2(desk.message().contains(QLatin1String("cancelled")), qPrintable(desk.message()));
    QVERIFY(!desk.child<QProgressBar>("export_progress")->isVisible());
    QVERIFY(desk.files().isEmpty());
    desk.ask(format); // and it can be asked for again
    desk.accept();
    QTRY_COMPARE(desk.message(), QStringLiteral("Exported to %1.").arg(desk.path));
}

void ReportTest::oneExportAtATime()
{
    Desk desk(QStringLiteral("csv"));
    QSignalSpy ledger(desk.window.exportDesk(), &ExportDesk::requested);
    QSignalSpy cancelled(desk.window.exportDesk(), &ExportDesk::cancelled);
    desk.accept();
    QCOMPARE(ledger.count(), 1);
    desk.window.exportDesk()->showProgress(10, 0.5);
    desk.ask(QStringLiteral("png"));
    desk.accept();
    QVERIFY2(desk.message().contains(QLatin1String("An export is at work")),
             qPrintable(desk.message()));
    QVERIFY(desk.child<QProgressBar>("export_progress")->isVisible());
    QTest::mouseClick(desk.child<QPushButton>("export_cancel"), Qt::LeftButton);
    QCOMPARE(cancelled.count(), 1);
    desk.window.exportDesk()->showResult(true, QStringLiteral("gone"));
    desk.ask(QStringLiteral("png"));
    desk.accept();
    QTRY_COMPARE(desk.message(), QStringLiteral("Exported to %1.").arg(desk.path));
}

void ReportTest::aClosedWindowWaitsForItsExport()
{
    auto desk = std::make_unique<Desk>(QStringLiteral("png"));
    desk->accept();
    QTRY_VERIFY(desk->child<QProgressBar>("export_progress")->value() >= 70); // it is written now
    desk.reset(); // neither a crash nor a thread that is left
}

QTEST_MAIN(ReportTest)
#include "tst_report.moc"
