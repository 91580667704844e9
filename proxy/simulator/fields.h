// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>

#include <optional>
#include <string>

namespace headway::simulator {

// The first thing found wrong in a scenario; empty while all is well.
using Problem = std::string;

// Strict reader of one JSON object: keys are asked for by name, a wrong type or value names the
// key, and finish() refuses every key that nobody asked for. Only the first problem is kept.
class Fields final
{
public:
    // `path` is what messages call this object ("provider.faults[2]").
    Fields(const QJsonObject &object, std::string path, Problem &problem);

    [[nodiscard]] bool has(const char *key) const; // present and not null
    [[nodiscard]] double number(const char *key, double fallback, double lowest, double highest);
    [[nodiscard]] int integer(const char *key, int fallback, int lowest, int highest);
    [[nodiscard]] bool boolean(const char *key, bool fallback);
    [[nodiscard]] QString text(const char *key, const QString &fallback);
    [[nodiscard]] QJsonObject object(const char *key);
    [[nodiscard]] QJsonArray array(const char *key);
    [[nodiscard]] QJsonValue any(const char *key);
    // A duration given in seconds, not negative; nothing when the key is absent or null.
    [[nodiscard]] std::optional<base::Milliseconds> seconds(const char *key);
    // [low, high] in milliseconds.
    [[nodiscard]] std::pair<base::Milliseconds, base::Milliseconds>
    range(const char *key, std::pair<base::Milliseconds, base::Milliseconds> fallback);

    void refuse(const char *key, const std::string &expectation);
    void finish();

private:
    [[nodiscard]] QJsonValue take(const char *key);

    QJsonObject m_object;
    std::string m_path;
    Problem &m_problem;
    QSet<QString> m_asked;
};

} // namespace headway::simulator
