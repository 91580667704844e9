// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong in other monitors (cases/reports.md, section 11), on the real widgets. Times are
// CPU of this thread, so that a busy machine does not count.
#include "scene.h"
#include "ui/charts/timechart.h"
#include "ui/format/palette.h"
#include "ui/models/recordwords.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/topstrip.h"
#include "ui/views/chartstack.h"
#include "ui/views/headsview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/turnspanel.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <memory>
#include <vector>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

namespace {

#ifdef NDEBUG
constexpr double slowness = 1;
#else
constexpr double slowness = 4; // a build without optimisation; the figures are those of a release
#endif

double threadMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

qint64 residentKib()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').value(1).toLongLong();
    return 0;
}

// How often a widget is painted.
class PaintCounter final : public QObject
{
public:
    int paints = 0;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        paints += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

class MonitorCasesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void b83FiftyThousandTurnsStayPaged();
    void b84MemoryIsFlatAfterTheWarmUp();
    void b86AStreamGrowsWhileItRuns();
    void b86ANormalCloseIsNoFault();
    void b88ARepaintAFrameAndEightMilliseconds();
};

// 50 000 turns at 200 a second, four records each: RSS grows by less than 150 MB, a frame takes
// less than 16 ms (p99), a filter less than 200 ms.
void MonitorCasesTest::b83FiftyThousandTurnsStayPaged()
{
    constexpr int snapshots = 1'250; // every other one of those
    constexpr std::size_t turnsEach = 40;
    Scene scene(7, 200);
    MainWindow window;
    window.resize(1440, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.showView(MainWindow::View::Ledger);
    window.apply(std::make_shared<const live::Snapshot>(scene.history(3'600)));
    QCoreApplication::processEvents();
    const qint64 before = residentKib();
    std::vector<double> frames;
    std::uint64_t turn = 1'000'000;
    for (int i = 0; i < snapshots; ++i) {
        live::Snapshot snapshot = scene.next();
        const std::vector<ledger::Record> some = snapshot.records;
        snapshot.records.clear();
        for (std::size_t k = 0; k < 4 * turnsEach; ++k) {
            ledger::Record record = some[k % some.size()];
            record.turn = base::TurnId(turn + k / 4);
            snapshot.records.push_back(std::move(record));
        }
        turn += turnsEach;
        const auto pointer = std::make_shared<const live::Snapshot>(std::move(snapshot));
        const double begun = threadMs();
        window.apply(pointer);
        QCoreApplication::processEvents();
        frames.push_back(threadMs() - begun);
    }
    const qint64 grown = residentKib() - before;
    QVERIFY2(grown < 150 * 1'024, qPrintable(QStringLiteral("%1 KiB").arg(grown)));
    std::ranges::sort(frames);
    const double p99 = frames[frames.size() * 99 / 100];
    qInfo("B83: frame p99 %.1f ms, memory +%lld KiB", p99, static_cast<long long>(grown));
    QVERIFY2(p99 < 16 * slowness, qPrintable(QString::number(p99)));
    auto *filter = window.findChild<QLineEdit *>(QStringLiteral("ledger_filter"));
    const double begun = threadMs();
    filter->setText(QStringLiteral("prompt cache"));
    QCoreApplication::processEvents();
    const double filtered = threadMs() - begun;
    qInfo("B83: a filter over the rows takes %.0f ms", filtered);
    QVERIFY2(filtered < 200 * slowness, qPrintable(QString::number(filtered)));
}

// What the window keeps is bounded: a second span as long as the first costs no more memory.
void MonitorCasesTest::b84MemoryIsFlatAfterTheWarmUp()
{
    Scene scene(3, 60);
    MainWindow window;
    window.show();
    window.apply(std::make_shared<const live::Snapshot>(scene.history(3'600)));
    const auto run = [&](int count) {
        for (int i = 0; i < count; ++i) {
            live::Snapshot snapshot = scene.next();
            const std::vector<ledger::Record> some = snapshot.records;
            while (snapshot.records.size() < 200)
                snapshot.records.insert(snapshot.records.end(), some.begin(), some.end());
            window.apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
            QCoreApplication::processEvents();
        }
        return residentKib();
    };
    const qint64 warm = run(500); // more than twice what is kept
    const qint64 later = run(500);
    QVERIFY2(later - warm < 4 * 1'024, qPrintable(QStringLiteral("%1 KiB").arg(later - warm)));
}

// A turn of 30 s: the pane grows with it instead of filling at the end.
void MonitorCasesTest::b86AStreamGrowsWhileItRuns()
{
    MainWindow window;
    window.show();
    live::Snapshot snapshot = Scene().next();
    snapshot.turns.resize(1);
    live::TurnRow &row = snapshot.turns[0];
    row.phase = live::Phase::Streaming;
    row.outputEvents = row.bytesOut = 0;
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    window.places()->live()->turns()->table()->selectRow(0);
    const auto shown = [&window] {
        QStringList all;
        for (const QLabel *label :
             window.findChild<QWidget *>(QStringLiteral("why_dock"))->findChildren<QLabel *>())
            all << label->text();
        return all.join(u'\n');
    };
    for (std::uint64_t second = 1; second <= 30; ++second) {
        snapshot.at += base::Seconds{1};
        row.outputEvents = second;
        row.bytesOut = 100 * second;
        window.apply(std::make_shared<const live::Snapshot>(snapshot));
        QVERIFY2(shown().contains(QStringLiteral("%1 events, ").arg(second)), qPrintable(shown()));
    }
}

void MonitorCasesTest::b86ANormalCloseIsNoFault()
{
    ledger::TurnEnded ended;
    ended.end = "completed";
    QCOMPARE(int(recordWords({{}, base::TurnId(7), {}, {}, ended}).meaning), int(Meaning::Done));
    // The client closes once it has read message_stop: that is a connection like any other.
    for (const char *reason : {"client_done", "idle", "rotated", "stopped", "peer_closed"}) {
        ledger::Connection closed;
        closed.event = "closed";
        closed.reason = reason;
        QVERIFY2(recordWords({{}, {}, {}, {}, closed}).meaning != Meaning::Failed, reason);
    }
    // Nor does the strip count it as failed.
    MainWindow window;
    window.show();
    live::Snapshot snapshot = Scene().next();
    snapshot.totals.turnsCompleted = 12;
    snapshot.totals.clientGone = 3;
    snapshot.totals.turnsFailed = 0;
    window.apply(std::make_shared<const live::Snapshot>(snapshot));
    const auto *failed = window.findChild<QWidget *>(QStringLiteral("tile_failed"));
    QVERIFY2(failed->accessibleName().contains(u'0'), qPrintable(failed->accessibleName()));
}

// Ten minutes at 10 Hz, with zooming, at 1080p: each chart is painted once a frame, and all of them
// together take less than 8 ms.
void MonitorCasesTest::b88ARepaintAFrameAndEightMilliseconds()
{
    constexpr int frames = 200; // of the 6 000, spread over the ten minutes' span
    Scene scene(5, 40);
    MainWindow window;
    window.resize(1920, 1080);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.apply(std::make_shared<const live::Snapshot>(scene.history(600)));
    QCoreApplication::processEvents();
    const std::vector<TimeChart *> &charts = window.places()->live()->charts()->charts();
    std::vector<std::unique_ptr<PaintCounter>> counters;
    for (TimeChart *chart : charts) {
        counters.push_back(std::make_unique<PaintCounter>());
        chart->viewport()->installEventFilter(counters.back().get());
    }
    for (int i = 0; i < frames; ++i) {
        if (i % 50 == 0) // a drag over the spans
            window.places()->live()->setSpan(i % 100 == 0 ? 900 : 60);
        window.apply(std::make_shared<const live::Snapshot>(scene.next()));
        QCoreApplication::processEvents();
    }
    for (std::size_t i = 0; i < charts.size(); ++i)
        QVERIFY2(counters[i]->paints <= frames + frames / 50,
                 qPrintable(QString::number(counters[i]->paints)));
    QVERIFY(counters[0]->paints > frames / 4); // it did move
    std::vector<double> costs;
    for (int i = 0; i < 40; ++i) {
        QImage image(window.places()->live()->charts()->size(), QImage::Format_RGB32);
        window.places()->live()->setSpan(900);
        const double begun = threadMs();
        window.places()->live()->charts()->render(&image);
        costs.push_back(threadMs() - begun);
    }
    std::ranges::sort(costs);
    qInfo("B88: all charts are painted in %.1f ms (median)", costs[costs.size() / 2]);
    QVERIFY2(costs[costs.size() / 2] < 8 * slowness,
             qPrintable(QString::number(costs[costs.size() / 2])));
}

QTEST_MAIN(MonitorCasesTest)
#include "tst_monitorcases.moc"
