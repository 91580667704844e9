// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/doctorrunner.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <chrono>
#include <utility>

namespace headway::app {

namespace {

using namespace std::chrono_literals;
using Phase = ui::DoctorState::Phase;

constexpr auto patience = 90s; // longer than all of its own deadlines

} // namespace

std::vector<ui::Finding> readFindings(const QByteArray &json)
{
    std::vector<ui::Finding> findings;
    const QJsonArray array = QJsonDocument::fromJson(json).array();
    for (const QJsonValue &each : array)
        findings.push_back({each[QLatin1String("check")].toString(),
                            each[QLatin1String("ok")].toBool(),
                            each[QLatin1String("text")].toString()});
    return findings;
}

DoctorRunner::DoctorRunner(QString program, const QStringList &settings, QObject *parent)
    : QObject(parent)
    , m_program(std::move(program))
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &pair : settings)
        environment.insert(QStringLiteral("HEADWAY_") + pair.section(u'=', 0, 0).trimmed().toUpper(),
                           pair.section(u'=', 1));
    m_process.setProcessEnvironment(environment);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::finished, this, &DoctorRunner::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(tr("%1 could not be started (%2).").arg(m_program, m_process.errorString()));
    });
}

DoctorRunner::~DoctorRunner()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void DoctorRunner::start()
{
    if (m_process.state() != QProcess::NotRunning)
        return;
    Q_EMIT moved({.phase = Phase::Looking});
    m_patience.start();
    m_process.start(m_program, {QStringLiteral("doctor"), QStringLiteral("--json")});
}

void DoctorRunner::ended(int status, QProcess::ExitStatus how)
{
    m_patience.stop();
    ui::DoctorState state{.phase = Phase::Done,
                          .findings = readFindings(m_process.readAllStandardOutput())};
    const QString said = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
    if (!state.findings.empty())
        Q_EMIT moved(state);
    else if (how == QProcess::CrashExit)
        fail(tr("headway doctor was ended before it had looked."));
    else
        fail(said.isEmpty() ? tr("headway doctor ended with status %1.").arg(status) : said);
}

void DoctorRunner::fail(const QString &reason)
{
    m_patience.stop();
    Q_EMIT moved({.phase = Phase::Failed, .reason = reason});
}

} // namespace headway::app
