// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/paths.h"

#include <QDir>
#include <QTest>

using headway::store::Paths;

class PathsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        qputenv("HOME", "/home/somebody");
        qunsetenv("XDG_CONFIG_HOME");
        qunsetenv("XDG_STATE_HOME");
    }
    void fallsBackToTheDefaultsBelowHome();
    void followsTheXdgVariables();
    void ignoresRelativeVariables();
    void putsEverythingBelowAGivenRoot();
};

void PathsTest::fallsBackToTheDefaultsBelowHome()
{
    const Paths paths = Paths::ofUser();
    QCOMPARE(paths.configFolder(), QStringLiteral("/home/somebody/.config/headway"));
    QCOMPARE(paths.stateFolder(), QStringLiteral("/home/somebody/.local/state/headway"));
    QCOMPARE(paths.ledgerFile(),
             QStringLiteral("/home/somebody/.local/state/headway/ledger.sqlite"));
    QCOMPARE(paths.settingsFile(), QStringLiteral("/home/somebody/.config/headway/headway.ini"));
}

void PathsTest::followsTheXdgVariables()
{
    qputenv("XDG_CONFIG_HOME", "/etc/mine/");
    qputenv("XDG_STATE_HOME", "/var/mine");
    QCOMPARE(Paths::ofUser().configFolder(), QStringLiteral("/etc/mine/headway"));
    QCOMPARE(Paths::ofUser().stateFolder(), QStringLiteral("/var/mine/headway"));
}

void PathsTest::ignoresRelativeVariables()
{
    qputenv("XDG_STATE_HOME", "state");
    QCOMPARE(Paths::ofUser().stateFolder(), QStringLiteral("/home/somebody/.local/state/headway"));
}

void PathsTest::putsEverythingBelowAGivenRoot()
{
    qputenv("XDG_STATE_HOME", "/var/mine");
    const Paths paths = Paths::below(QStringLiteral("/tmp/demo"));
    for (const QString &path :
         {paths.settingsFile(), paths.keysFile(), paths.ledgerFile(), paths.installKeyFile()})
        QVERIFY(path.startsWith(QStringLiteral("/tmp/demo/")));
}

QTEST_APPLESS_MAIN(PathsTest)
#include "tst_paths.moc"
