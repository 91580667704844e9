// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/replayworker.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace headway::ui {

namespace {

constexpr qint64 largestScenario = 16 << 20; // bytes; they are written by hand
constexpr std::int64_t drawnValues = 480; // what a chart can show

// Whole seconds, so that the axis can be read.
base::Nanoseconds stepFor(const std::vector<lab::Arrival> &arrivals)
{
    const auto seconds = std::chrono::ceil<base::Seconds>(arrivals.back().at).count();
    return base::Seconds{std::max<std::int64_t>(1, (seconds + drawnValues - 1) / drawnValues)};
}

} // namespace

tl::expected<std::vector<lab::Arrival>, QString> arrivalsOfScenario(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(
            ReplayWorker::tr("Cannot read %1: %2.").arg(path, file.errorString()));
    const QByteArray bytes = file.read(largestScenario + 1);
    if (bytes.size() > largestScenario)
        return tl::unexpected(
            ReplayWorker::tr("%1 is larger than 16 MiB, so it is no scenario.").arg(path));
    auto scenario = lab::readScenario({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (!scenario)
        return tl::unexpected(QString::fromStdString(scenario.error().text(path.toStdString())));
    return lab::arrivalsOf(*std::move(scenario));
}

ReplayWorker::ReplayWorker(LedgerReader ledger, QObject *parent)
    : QObject(parent)
    , m_ledger(std::move(ledger))
{
}

ReplayWorker::Arrivals ReplayWorker::read(const ReplaySource &source) const
{
    if (!source.scenario.isEmpty())
        return arrivalsOfScenario(source.scenario);
    if (!m_ledger)
        return tl::unexpected(tr("No proxy runs here, so there is no ledger to read."));
    return m_ledger(source.back);
}

void ReplayWorker::run(const ReplayRequestPointer &request)
{
    if (!m_hasRead || m_source != request->source) {
        m_source = request->source;
        m_arrivals = read(m_source);
        m_hasRead = true;
    }
    auto result = std::make_shared<ReplayResult>();
    result->source = m_source;
    if (!m_arrivals)
        result->error = m_arrivals.error();
    else if (!m_arrivals->empty())
        result->curves
            = lab::whatIf(*m_arrivals, request->before, request->after, stepFor(*m_arrivals));
    Q_EMIT finished(result);
}

} // namespace headway::ui
