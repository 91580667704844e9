// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/fields.h"

#include <cmath>
#include <utility>

namespace headway::simulator {

namespace {

base::Milliseconds fromMilliseconds(double value)
{
    return base::Milliseconds{std::llround(value)};
}

} // namespace

Fields::Fields(const QJsonObject &object, std::string path, Problem &problem)
    : m_object(object)
    , m_path(std::move(path))
    , m_problem(problem)
{
}

QJsonValue Fields::take(const char *key)
{
    const QString name = QString::fromLatin1(key);
    m_asked.insert(name);
    return m_object.value(name);
}

bool Fields::has(const char *key) const
{
    const QJsonValue value = m_object.value(QLatin1String(key));
    return !value.isUndefined() && !value.isNull();
}

void Fields::refuse(const char *key, const std::string &expectation)
{
    if (m_problem.empty())
        m_problem = m_path + '.' + key + ": " + expectation;
}

double Fields::number(const char *key, double fallback, double lowest, double highest)
{
    const QJsonValue value = take(key);
    if (value.isUndefined() || value.isNull())
        return fallback;
    const double number = value.toDouble(std::nan(""));
    if (!value.isDouble() || !(number >= lowest && number <= highest)) {
        refuse(key,
               "expected a number from " + QString::number(lowest).toStdString() + " to "
                   + QString::number(highest).toStdString());
        return fallback;
    }
    return number;
}

int Fields::integer(const char *key, int fallback, int lowest, int highest)
{
    const double value = number(key, fallback, lowest, highest);
    if (std::floor(value) != value) {
        refuse(key, "expected a whole number");
        return fallback;
    }
    return static_cast<int>(value);
}

bool Fields::boolean(const char *key, bool fallback)
{
    const QJsonValue value = take(key);
    if (value.isUndefined() || value.isNull())
        return fallback;
    if (!value.isBool())
        refuse(key, "expected true or false");
    return value.toBool(fallback);
}

QString Fields::text(const char *key, const QString &fallback)
{
    const QJsonValue value = take(key);
    if (value.isUndefined() || value.isNull())
        return fallback;
    if (!value.isString())
        refuse(key, "expected a string");
    return value.toString(fallback);
}

QJsonObject Fields::object(const char *key)
{
    const QJsonValue value = take(key);
    if (!value.isUndefined() && !value.isNull() && !value.isObject())
        refuse(key, "expected an object");
    return value.toObject();
}

QJsonArray Fields::array(const char *key)
{
    const QJsonValue value = take(key);
    if (!value.isUndefined() && !value.isNull() && !value.isArray())
        refuse(key, "expected an array");
    return value.toArray();
}

QJsonValue Fields::any(const char *key)
{
    return take(key);
}

std::optional<base::Milliseconds> Fields::seconds(const char *key)
{
    if (!has(key)) {
        m_asked.insert(QString::fromLatin1(key));
        return std::nullopt;
    }
    return fromMilliseconds(number(key, 0, 0, 1e7) * 1000.0);
}

std::pair<base::Milliseconds, base::Milliseconds>
Fields::range(const char *key, std::pair<base::Milliseconds, base::Milliseconds> fallback)
{
    const QJsonArray pair = array(key);
    if (!has(key))
        return fallback;
    const double low = pair.at(0).toDouble(-1);
    const double high = pair.at(1).toDouble(-1);
    if (pair.size() != 2 || low < 0 || high < low || high > 1e9) {
        refuse(key, "expected [low, high] in milliseconds, 0 <= low <= high");
        return fallback;
    }
    return {fromMilliseconds(low), fromMilliseconds(high)};
}

void Fields::finish()
{
    for (auto it = m_object.constBegin(); it != m_object.constEnd(); ++it) {
        if (!m_asked.contains(it.key()) && m_problem.empty())
            m_problem = m_path + '.' + it.key().toStdString() + ": unknown key";
    }
}

} // namespace headway::simulator
