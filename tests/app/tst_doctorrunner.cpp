// SPDX-License-Identifier: GPL-3.0-or-later
// The doctor as the window runs it: a process of its own, with the settings of this call.
#include "app/doctorrunner.h"
#include "ui/models/doctorstate.h"

#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace headway;
using Phase = ui::DoctorState::Phase;

class DoctorRunnerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itFindsWhatDoctorFinds();
    void aProgramThatIsNoneIsSaid();
    void whatTheProgramComplainsOfIsSaid();
    void findingsAreReadOrNotAtAll();

private:
    // How it ends.
    void run(app::DoctorRunner &runner)
    {
        connect(&runner, &app::DoctorRunner::moved, this,
                [this](const ui::DoctorState &state) { m_states.push_back(state); });
        runner.start();
        QTRY_VERIFY_WITH_TIMEOUT(!m_states.empty() && m_states.back().phase != Phase::Looking,
                                 50'000);
    }
    [[nodiscard]] const ui::Finding *finding(const char *check) const
    {
        const auto &all = m_states.back().findings;
        const auto found = std::ranges::find(all, QLatin1String(check), &ui::Finding::check);
        return found == all.end() ? nullptr : &*found;
    }

    QTemporaryDir m_home;
    std::vector<ui::DoctorState> m_states;
};

void DoctorRunnerTest::init()
{
    m_states.clear();
    qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_home.filePath(QStringLiteral("config"))));
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.filePath(QStringLiteral("state"))));
    qputenv("DBUS_SESSION_BUS_ADDRESS", "disabled:");
}

void DoctorRunnerTest::itFindsWhatDoctorFinds()
{
    QTcpServer owner;
    QVERIFY(owner.listen(QHostAddress(QHostAddress::LocalHost), 0));
    const QString address = QStringLiteral("127.0.0.1:%1").arg(owner.serverPort());
    app::DoctorRunner runner(qEnvironmentVariable("HEADWAY_PROGRAM"),
                             {QStringLiteral("listen=") + address, QStringLiteral("upstream=")});
    run(runner);
    QCOMPARE(m_states.front().phase, Phase::Looking);
    QCOMPARE(m_states.back().phase, Phase::Done);
    const ui::Finding *port = finding("port");
    QVERIFY(port != nullptr);
    QVERIFY(!port->isOk);
    QVERIFY2(port->text.contains(address), qPrintable(port->text));
    const ui::Finding *clock = finding("clock");
    QVERIFY(clock != nullptr && clock->isOk);
    const ui::Finding *upstream = finding("upstream");
    QVERIFY(upstream != nullptr && !upstream->isOk);
    QVERIFY2(upstream->text.contains(QLatin1String("HEADWAY_UPSTREAM")),
             qPrintable(upstream->text));
}

void DoctorRunnerTest::aProgramThatIsNoneIsSaid()
{
    const QString none = m_home.filePath(QStringLiteral("no-such-program"));
    app::DoctorRunner runner(none, {});
    run(runner);
    QCOMPARE(m_states.back().phase, Phase::Failed);
    QVERIFY2(m_states.back().reason.contains(none), qPrintable(m_states.back().reason));
}

void DoctorRunnerTest::whatTheProgramComplainsOfIsSaid()
{
    const QString path = m_home.filePath(QStringLiteral("complains"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\necho 'the settings are wrong' >&2\nexit 2\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    app::DoctorRunner runner(path, {});
    run(runner);
    QCOMPARE(m_states.back().phase, Phase::Failed);
    QCOMPARE(m_states.back().reason, QStringLiteral("the settings are wrong"));
}

void DoctorRunnerTest::findingsAreReadOrNotAtAll()
{
    const auto findings
        = app::readFindings(R"([{"check":"disk","ok":true,"text":"9 MiB"},{"check":"port"}])");
    QCOMPARE(findings.size(), std::size_t(2));
    QCOMPARE(findings[0].text, QStringLiteral("9 MiB"));
    QVERIFY(findings[0].isOk);
    QVERIFY(!findings[1].isOk); // what is not said to be well is not
    for (const char *text : {"", "{}", "[", "7"})
        QVERIFY2(app::readFindings(text).empty(), text);
}

QTEST_GUILESS_MAIN(DoctorRunnerTest)
#include "tst_doctorrunner.moc"
