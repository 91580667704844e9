// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/figures.h"

#include <QCoreApplication>
#include <QDateTime>

#include <cmath>

namespace headway::ui {

namespace {

constexpr QChar noBreakSpace(u'\u00a0');

struct Figures
{
    Q_DECLARE_TR_FUNCTIONS(Figures)
};

QString withUnit(const QString &number, const QString &unit)
{
    return number + noBreakSpace + unit;
}

// At most one decimal, and none where it would be noise.
QString trimmed(double value)
{
    if (std::abs(value) >= 10 || value == std::round(value))
        return QString::number(value, 'f', 0);
    return QString::number(value, 'f', 1);
}

QString twoParts(std::int64_t high, const QString &highUnit, std::int64_t low,
                 const QString &lowUnit)
{
    return withUnit(QString::number(high), highUnit) + noBreakSpace
        + withUnit(QStringLiteral("%1").arg(low, 2, 10, QLatin1Char('0')), lowUnit);
}

QDateTime local(base::WallTime at)
{
    return QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count());
}

} // namespace

QString unknown()
{
    return QStringLiteral("–");
}

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString duration(double milliseconds)
{
    if (!std::isfinite(milliseconds))
        return unknown();
    const double value = std::max(0.0, milliseconds);
    if (value < 999.5)
        return withUnit(QString::number(value, 'f', 0), Figures::tr("ms"));
    if (value < 9'950)
        return withUnit(QString::number(value / 1000, 'f', 1), Figures::tr("s"));
    const auto seconds = static_cast<std::int64_t>(std::min(std::round(value / 1000), 1e15));
    if (seconds < 120)
        return withUnit(QString::number(seconds), Figures::tr("s"));
    if (seconds < 3600)
        return twoParts(seconds / 60, Figures::tr("min"), seconds % 60, Figures::tr("s"));
    return twoParts(seconds / 3600, Figures::tr("h"), seconds / 60 % 60, Figures::tr("min"));
}

QString duration(base::Milliseconds value)
{
    return duration(static_cast<double>(value.count()));
}

QString duration(const std::optional<double> &milliseconds)
{
    return milliseconds ? duration(*milliseconds) : unknown();
}

QString count(std::uint64_t value)
{
    QString digits = QString::number(value);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QChar(u'\u202f')); // narrow no-break space
    return digits;
}

QString bytes(std::uint64_t value)
{
    const auto number = static_cast<double>(value);
    if (value < 1'000)
        return withUnit(QString::number(value), Figures::tr("B"));
    if (value < 999'950)
        return withUnit(trimmed(number / 1e3), Figures::tr("kB"));
    if (value < 999'950'000)
        return withUnit(trimmed(number / 1e6), Figures::tr("MB"));
    return withUnit(trimmed(number / 1e9), Figures::tr("GB"));
}

QString perSecond(const std::optional<double> &value)
{
    return decimal(value);
}

QString percent(const std::optional<double> &ratio)
{
    if (!ratio || !std::isfinite(*ratio))
        return unknown();
    return withUnit(QString::number(std::lround(*ratio * 100)), QStringLiteral("%"));
}

QString decimal(const std::optional<double> &value)
{
    if (!value || !std::isfinite(*value))
        return unknown();
    return trimmed(*value);
}

QString clockTime(base::WallTime at)
{
    return local(at).toString(QStringLiteral("HH:mm:ss"));
}

QString clockTimeMs(base::WallTime at)
{
    return local(at).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString requestId(std::uint64_t turn)
{
    return QStringLiteral("req_%1").arg(turn, 16, 16, QLatin1Char('0'));
}

} // namespace headway::ui
