// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ceilingfile.h"

#include "proxy/store/privatefile.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <array>
#include <chrono>
#include <cmath>

namespace headway::store {

namespace {

using pacing::CeilingEstimate;
using pacing::CeilingShape;

constexpr std::array shapes{CeilingShape::Window, CeilingShape::Rate, CeilingShape::Cap};
constexpr double mostPerMinute = 1e6;
constexpr double longestSpacingMs = 3'600'000;
constexpr double mostSockets = 1e6;

QJsonObject toJson(const std::string &account, const CeilingEstimate &estimate)
{
    const std::string_view shape = name(estimate.shape);
    const auto spacing = std::chrono::duration<double, std::milli>(estimate.spacing).count();
    return {{QStringLiteral("account"), QString::fromStdString(account)},
            {QStringLiteral("shape"),
             QString::fromLatin1(shape.data(), static_cast<qsizetype>(shape.size()))},
            {QStringLiteral("per_min"), estimate.perMinute},
            {QStringLiteral("spacing_ms"), spacing},
            {QStringLiteral("sockets"), static_cast<double>(estimate.socketCap)},
            {QStringLiteral("confidence"), estimate.confidence},
            {QStringLiteral("measured_ms"),
             static_cast<double>(estimate.measuredAt.time_since_epoch().count())}};
}

// Clamped: a file that somebody edited must not make the pacer do what no provider would ask for.
double numberOf(const QJsonObject &object, QLatin1String key, double most)
{
    const double value = object.value(key).toDouble();
    return std::isfinite(value) && value > 0 ? std::min(value, most) : 0;
}

std::optional<CeilingEstimate> fromJson(const QJsonObject &object)
{
    const std::string shape = object.value(QLatin1String("shape")).toString().toStdString();
    for (const CeilingShape known : shapes) {
        if (name(known) != shape)
            continue;
        CeilingEstimate estimate;
        estimate.shape = known;
        estimate.perMinute = numberOf(object, QLatin1String("per_min"), mostPerMinute);
        estimate.spacing = std::chrono::duration_cast<base::Nanoseconds>(
            std::chrono::duration<double, std::milli>(
                numberOf(object, QLatin1String("spacing_ms"), longestSpacingMs)));
        estimate.socketCap
            = static_cast<std::size_t>(numberOf(object, QLatin1String("sockets"), mostSockets));
        estimate.confidence = numberOf(object, QLatin1String("confidence"), 1);
        estimate.measuredAt = base::WallTime{base::Milliseconds{
            static_cast<std::int64_t>(numberOf(object, QLatin1String("measured_ms"), 4e12))}};
        return estimate;
    }
    return std::nullopt;
}

} // namespace

CeilingFile::CeilingFile(QString path)
    : m_path(std::move(path))
{
    QFile file(m_path);
    if (m_path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return;
    const QJsonArray entries = QJsonDocument::fromJson(file.readAll()).array();
    for (const QJsonValue &entry : entries) {
        const QJsonObject object = entry.toObject();
        const std::string account = object.value(QLatin1String("account")).toString().toStdString();
        if (const auto estimate = fromJson(object); estimate && !account.empty())
            m_estimates.insert_or_assign(account, *estimate);
    }
}

std::optional<CeilingEstimate> CeilingFile::of(const std::string &account) const
{
    const auto found = m_estimates.find(account);
    return found == m_estimates.end() ? std::nullopt : std::optional(found->second);
}

bool CeilingFile::keep(const std::string &account, const CeilingEstimate &estimate)
{
    if (const auto known = of(account); known && *known == estimate)
        return true;
    m_estimates.insert_or_assign(account, estimate);
    if (m_path.isEmpty())
        return false;
    QJsonArray entries;
    for (const auto &[id, each] : m_estimates)
        entries.append(toJson(id, each));
    makePrivateFolderOf(m_path);
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(QJsonDocument(entries).toJson());
    return file.commit();
}

} // namespace headway::store
