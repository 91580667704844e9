// SPDX-License-Identifier: GPL-3.0-or-later
// The proxy as the window has it: on a thread of its own, watched from its first record on.
#include "app/proxythread.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using app::ProxyThread;

class ProxyThreadTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWindowGetsEveryRecordThatTheTotalsCount();
    void aFailedStartLeavesItsReasonOnShow();

private:
    [[nodiscard]] engine::EngineOptions options(quint16 port) const;

    QTemporaryDir m_folder;
};

engine::EngineOptions ProxyThreadTest::options(quint16 port) const
{
    engine::EngineOptions options;
    options.endpoint = net::parseEndpoint("ws://127.0.0.1:9/v1/responses").value();
    options.port = port;
    options.controlKey = "control-key-of-the-test";
    options.ledgerPath = m_folder.filePath(QStringLiteral("ledger.sqlite"));
    options.installKeyPath = m_folder.filePath(QStringLiteral("install.key"));
    options.notices = {"a notice of the start"};
    return options;
}

void ProxyThreadTest::theWindowGetsEveryRecordThatTheTotalsCount()
{
    ProxyThread proxy(options(0));
    std::uint64_t received = 0;
    std::uint64_t counted = 0;
    connect(&proxy, &ProxyThread::snapshotReady, this, [&](const live::SnapshotPointer &snapshot) {
        received += snapshot->records.size();
        counted = snapshot->totals.records;
    });
    proxy.start();
    QTRY_VERIFY(counted >= 2); // the start of the process, and the notice
    QCOMPARE(received, counted);
}

void ProxyThreadTest::aFailedStartLeavesItsReasonOnShow()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress(QHostAddress::LocalHost), 0));
    ProxyThread proxy(options(other.serverPort()));
    QSignalSpy failures(&proxy, &ProxyThread::failed);
    QSignalSpy drains(&proxy, &ProxyThread::drained);
    int snapshots = 0;
    connect(&proxy, &ProxyThread::snapshotReady, this, [&] { ++snapshots; });
    proxy.start();
    QTRY_COMPARE(failures.count(), 1);
    // Ten times the distance of two snapshots, during which none may replace the reason.
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY(clock.hasExpired(1'000));
    QCOMPARE(snapshots, 0);
    proxy.drain(0);
    QTRY_COMPARE(drains.count(), 1);
}

QTEST_GUILESS_MAIN(ProxyThreadTest)
#include "tst_proxythread.moc"
