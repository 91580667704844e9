// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QUrl>

#include <csignal>

namespace headway::tests {

namespace {

constexpr int patienceMs = 60'000;

} // namespace

Program::Program(const QStringList &arguments, const Environment &environment)
    : m_home(std::make_shared<QTemporaryDir>())
{
    start(arguments, environment);
}

Program::Program(const QStringList &arguments, const Program &sharedHome)
    : m_home(sharedHome.m_home)
{
    start(arguments, {});
}

Program::~Program()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished(patienceMs);
}

void Program::start(const QStringList &arguments, const Environment &environment)
{
    QProcessEnvironment child = QProcessEnvironment::systemEnvironment();
    const QStringList inherited = child.keys();
    for (const QString &name : inherited) {
        if (name.startsWith(QLatin1String("HEADWAY_")))
            child.remove(name);
    }
    // What keeps Qt quiet in the tests' own process would hide what the program prints.
    child.remove(QStringLiteral("XDG_RUNTIME_DIR"));
    child.remove(QStringLiteral("QT_LOGGING_RULES"));
    child.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home->filePath(QStringLiteral("config")));
    child.insert(QStringLiteral("XDG_STATE_HOME"), m_home->filePath(QStringLiteral("state")));
    // The keychain of whoever runs the tests is not theirs.
    child.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), QStringLiteral("disabled:"));
    child.insert(QStringLiteral("CODEX_HOME"), m_home->filePath(QStringLiteral("codex")));
    for (const auto &[name, value] : environment)
        child.insert(name, value);
    m_process.setProcessEnvironment(child);
    m_process.start(qEnvironmentVariable("HEADWAY_PROGRAM"), arguments);
    m_process.waitForStarted(patienceMs);
}

int Program::waitForEnd()
{
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(patienceMs))
        return -2;
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

QByteArray Program::firstLine()
{
    while (m_firstLine.isEmpty()) {
        if (m_process.canReadLine())
            m_firstLine = m_process.readLine();
        else if (!m_process.waitForReadyRead(patienceMs))
            break;
    }
    return m_firstLine;
}

quint16 Program::port()
{
    const QJsonObject line = QJsonDocument::fromJson(firstLine()).object();
    const QUrl url(line.value(QStringLiteral("listening")).toString());
    return static_cast<quint16>(url.port(0));
}

QByteArray Program::output()
{
    m_output += m_process.readAllStandardOutput();
    return m_output;
}

QByteArray Program::errors()
{
    m_errors += m_process.readAllStandardError();
    return m_errors;
}

void Program::send(int signal)
{
    ::kill(static_cast<pid_t>(m_process.processId()), signal);
}

QStringList Program::homeEntries() const
{
    return QDir(m_home->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

QByteArray Program::exported() const
{
    QProcess process;
    process.setProcessEnvironment(m_process.processEnvironment());
    process.start(qEnvironmentVariable("HEADWAY_PROGRAM"),
                  {QStringLiteral("ledger"), QStringLiteral("export")});
    process.waitForFinished(patienceMs);
    return process.readAllStandardOutput();
}

} // namespace headway::tests
