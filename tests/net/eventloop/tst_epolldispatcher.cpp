// SPDX-License-Identifier: GPL-3.0-or-later
// What Qt documents of an event loop, seen from outside. The whole program runs on the dispatcher.
#include "proxy/net/eventloop/epolldispatcher.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSignalSpy>
#include <QSocketNotifier>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <array>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

// Two connected sockets.
class Pair final
{
public:
    Pair()
    {
        [[maybe_unused]] const int made = ::socketpair(AF_UNIX, SOCK_STREAM, 0, m_ends.data());
    }
    ~Pair() { close(); }
    Pair(const Pair &) = delete;
    Pair &operator=(const Pair &) = delete;

    [[nodiscard]] int here() const { return m_ends[0]; }
    void sendFromThere(const char *bytes = "x") const
    {
        QCOMPARE(::write(m_ends[1], bytes, 1), ssize_t{1});
    }
    void read() const
    {
        char byte = 0;
        QCOMPARE(::read(m_ends[0], &byte, 1), ssize_t{1});
    }
    void closeThere() { ::close(std::exchange(m_ends[1], -1)); }
    void close()
    {
        for (int &end : m_ends) {
            if (end >= 0)
                ::close(std::exchange(end, -1));
        }
    }

private:
    std::array<int, 2> m_ends{-1, -1};
};

} // namespace

class EpollDispatcherTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTheOneInUse();
    void activatesAReaderUntilEverythingIsRead();
    void leavesASwitchedOffNotifierAlone();
    void tellsAReaderThatThePeerIsGone();
    void activatesAWriterWhileThereIsRoom();
    void doesNotActivateWhatAnotherNotifierRemoved();
    void watchesANewSocketWithTheNumberOfAnOldOne();
    void doesNotTakeANewSocketForTheOneThatWasReady();
    void carriesManyConnectionsAtOnce();
    void firesTimersInTheOrderOfTheirTimes();
    void repeatsATimerAndStopsItFromWithin();
    void doesNotMakeUpForMissedBeats();
    void doesNotEnterATimerTwice();
    void tellsHowLongATimerHasToGo();
    void wakesForWhatAnotherThreadPosts();
    void handlesWhatIsPostedWhileItIsAboutToWait();
    void waitsWhenThereIsNothingToDo();
};

void EpollDispatcherTest::isTheOneInUse()
{
    QVERIFY(qobject_cast<headway::net::EpollDispatcher *>(QCoreApplication::eventDispatcher()));
}

void EpollDispatcherTest::activatesAReaderUntilEverythingIsRead()
{
    const Pair pair;
    QSocketNotifier reader(pair.here(), QSocketNotifier::Read);
    int activations = 0;
    connect(&reader, &QSocketNotifier::activated, this, [&] {
        if (++activations == 3)
            pair.read(); // level-triggered: it comes back until then
    });
    pair.sendFromThere();
    QTRY_COMPARE(activations, 3);
    QCoreApplication::processEvents();
    QCOMPARE(activations, 3);
}

void EpollDispatcherTest::leavesASwitchedOffNotifierAlone()
{
    const Pair pair;
    QSocketNotifier reader(pair.here(), QSocketNotifier::Read);
    QSignalSpy activated(&reader, &QSocketNotifier::activated);
    QCoreApplication::processEvents(); // now the kernel knows it
    reader.setEnabled(false);
    pair.sendFromThere();
    QCoreApplication::processEvents();
    QCOMPARE(activated.count(), 0);
    reader.setEnabled(true);
    QTRY_VERIFY(activated.count() > 0);
}

void EpollDispatcherTest::tellsAReaderThatThePeerIsGone()
{
    Pair pair;
    QSocketNotifier reader(pair.here(), QSocketNotifier::Read);
    QSignalSpy activated(&reader, &QSocketNotifier::activated);
    QCoreApplication::processEvents();
    QCOMPARE(activated.count(), 0);
    pair.closeThere();
    QTRY_VERIFY(activated.count() > 0);
}

void EpollDispatcherTest::activatesAWriterWhileThereIsRoom()
{
    const Pair pair;
    QSocketNotifier writer(pair.here(), QSocketNotifier::Write);
    QSocketNotifier reader(pair.here(), QSocketNotifier::Read);
    QSignalSpy written(&writer, &QSocketNotifier::activated);
    QSignalSpy read(&reader, &QSocketNotifier::activated);
    QTRY_VERIFY(written.count() > 1);
    QCOMPARE(read.count(), 0);
    writer.setEnabled(false);
    pair.sendFromThere();
    const auto before = written.count();
    QTRY_VERIFY(read.count() > 0); // the other one of the same socket goes on
    QCOMPARE(written.count(), before);
}

void EpollDispatcherTest::doesNotActivateWhatAnotherNotifierRemoved()
{
    const Pair one;
    const Pair two;
    std::array<std::unique_ptr<QSocketNotifier>, 2> readers{
        std::make_unique<QSocketNotifier>(one.here(), QSocketNotifier::Read),
        std::make_unique<QSocketNotifier>(two.here(), QSocketNotifier::Read)};
    int activations = 0;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        connect(readers[i].get(), &QSocketNotifier::activated, this, [&, i] {
            ++activations;
            readers[1 - i].reset();
            readers[i]->setEnabled(false);
        });
    }
    one.sendFromThere();
    two.sendFromThere();
    QTRY_COMPARE(activations, 1);
    QCoreApplication::processEvents();
    QCOMPARE(activations, 1);
}

void EpollDispatcherTest::watchesANewSocketWithTheNumberOfAnOldOne()
{
    auto first = std::make_unique<Pair>();
    auto reader = std::make_unique<QSocketNotifier>(first->here(), QSocketNotifier::Read);
    QCoreApplication::processEvents(); // now the kernel knows it
    const int number = first->here();
    reader.reset();
    first.reset();
    const Pair second;
    QCOMPARE(second.here(), number);
    QSocketNotifier again(second.here(), QSocketNotifier::Read);
    QSignalSpy activated(&again, &QSocketNotifier::activated);
    second.sendFromThere();
    QTRY_VERIFY(activated.count() > 0);
}

void EpollDispatcherTest::doesNotTakeANewSocketForTheOneThatWasReady()
{
    struct Watched
    {
        std::unique_ptr<Pair> pair = std::make_unique<Pair>();
        std::unique_ptr<QSocketNotifier> reader
            = std::make_unique<QSocketNotifier>(pair->here(), QSocketNotifier::Read);
    };
    std::array<Watched, 2> both;
    int fresh = 0;
    int old = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
        connect(both[i].reader.get(), &QSocketNotifier::activated, this, [&, i] {
            ++old;
            both[i].reader->setEnabled(false);
            Watched &other = both[1 - i];
            const int number = other.pair->here();
            other.reader.reset();
            other.pair.reset();
            other = {};
            QCOMPARE(other.pair->here(), number);
            connect(other.reader.get(), &QSocketNotifier::activated, this, [&fresh] { ++fresh; });
        });
        both[i].pair->sendFromThere();
    }
    QTRY_COMPARE(old, 1);
    QCoreApplication::processEvents();
    QCOMPARE(fresh, 0); // nobody has sent it anything
}

void EpollDispatcherTest::carriesManyConnectionsAtOnce()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&] {
        while (QTcpSocket *peer = server.nextPendingConnection()) {
            connect(peer, &QTcpSocket::readyRead, peer, [peer] { peer->write(peer->readAll()); });
        }
    });
    const QByteArray sent(1 << 20, 'h');
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    std::array<QByteArray, 20> received;
    for (QByteArray &answer : received) {
        auto &socket = sockets.emplace_back(std::make_unique<QTcpSocket>());
        connect(socket.get(), &QTcpSocket::readyRead, this,
                [&answer, s = socket.get()] { answer += s->readAll(); });
        socket->connectToHost(QHostAddress::LocalHost, server.serverPort());
        socket->write(sent);
    }
    for (const QByteArray &answer : received)
        QTRY_COMPARE(answer.size(), sent.size());
}

void EpollDispatcherTest::firesTimersInTheOrderOfTheirTimes()
{
    QList<int> fired;
    for (const int at : {30, 10, 20, 0})
        QTimer::singleShot(at, Qt::PreciseTimer, this, [&fired, at] { fired << at; });
    QElapsedTimer clock;
    clock.start();
    QTRY_COMPARE(fired, (QList<int>{0, 10, 20, 30}));
    QVERIFY(clock.elapsed() >= 30);
}

void EpollDispatcherTest::repeatsATimerAndStopsItFromWithin()
{
    QTimer timer;
    int beats = 0;
    connect(&timer, &QTimer::timeout, this, [&] {
        if (++beats == 3)
            timer.stop();
    });
    timer.start(1);
    QTRY_COMPARE(beats, 3);
    QTimer later;
    QSignalSpy over(&later, &QTimer::timeout);
    later.setSingleShot(true);
    later.start(20);
    QTRY_COMPARE(over.count(), 1);
    QCOMPARE(beats, 3);
}

void EpollDispatcherTest::doesNotMakeUpForMissedBeats()
{
    QTimer timer;
    int beats = 0;
    connect(&timer, &QTimer::timeout, this, [&] {
        if (++beats != 1)
            return;
        QElapsedTimer still; // the loop stands still for ten beats
        still.start();
        while (!still.hasExpired(100)) {
        }
    });
    timer.setTimerType(Qt::PreciseTimer);
    timer.start(10);
    QTRY_COMPARE(beats, 1);
    for (int i = 0; i < 8; ++i)
        QCoreApplication::processEvents();
    QVERIFY2(beats <= 2, QByteArray::number(beats).constData());
}

void EpollDispatcherTest::doesNotEnterATimerTwice()
{
    QTimer timer;
    int inside = 0;
    int deepest = 0;
    int beats = 0;
    connect(&timer, &QTimer::timeout, this, [&] {
        deepest = std::max(deepest, ++inside);
        ++beats;
        QEventLoop nested;
        QTimer::singleShot(5, &nested, &QEventLoop::quit);
        nested.exec();
        --inside;
    });
    timer.start(0);
    QTRY_VERIFY(beats >= 2);
    QCOMPARE(deepest, 1);
}

void EpollDispatcherTest::tellsHowLongATimerHasToGo()
{
    QTimer timer;
    timer.start(60'000);
    const int left = timer.remainingTime();
    QVERIFY2(left > 59'000 && left <= 60'000, QByteArray::number(left).constData());
    const auto timers = QCoreApplication::eventDispatcher()->registeredTimers(&timer);
    QCOMPARE(timers.size(), 1);
    QCOMPARE(timers.constFirst().interval, 60'000);
    timer.stop();
    QCOMPARE(timer.remainingTime(), -1);
    QVERIFY(QCoreApplication::eventDispatcher()->registeredTimers(&timer).isEmpty());
}

void EpollDispatcherTest::wakesForWhatAnotherThreadPosts()
{
    QEventLoop loop;
    int arrived = 0;
    const std::unique_ptr<QThread> other(QThread::create([&] {
        for (int i = 0; i < 1000; ++i) {
            QMetaObject::invokeMethod(&loop, [&] {
                if (++arrived == 1000)
                    loop.quit();
            });
        }
    }));
    other->start();
    loop.exec();
    QCOMPARE(arrived, 1000);
    other->wait();
}

void EpollDispatcherTest::handlesWhatIsPostedWhileItIsAboutToWait()
{
    QEventLoop loop;
    const auto connection = connect(
        QCoreApplication::eventDispatcher(), &QAbstractEventDispatcher::aboutToBlock, this,
        [&] { QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection); });
    loop.exec(); // without the look it would wait for ever
    disconnect(connection);
}

void EpollDispatcherTest::waitsWhenThereIsNothingToDo()
{
    QEventLoop loop;
    QSignalSpy waits(QCoreApplication::eventDispatcher(), &QAbstractEventDispatcher::aboutToBlock);
    QTimer::singleShot(50, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
    QVERIFY2(waits.count() >= 1 && waits.count() <= 5,
             QByteArray::number(waits.count()).constData());
}

int main(int argc, char *argv[])
{
    QCoreApplication::setEventDispatcher(new headway::net::EpollDispatcher);
    QCoreApplication application(argc, argv);
    EpollDispatcherTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_epolldispatcher.moc"
