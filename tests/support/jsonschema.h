// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

namespace headway::tests {

// As much of JSON Schema 2020-12 as our schema files use; any other keyword ends the test, so that
// none of them goes unchecked in silence.
class JsonSchema final
{
public:
    explicit JsonSchema(const QByteArray &text);

    // What is wrong with one JSON text; empty: it is valid.
    [[nodiscard]] QStringList violations(const QByteArray &text) const;

private:
    [[nodiscard]] QStringList check(const QJsonObject &rules, const QJsonValue &value,
                                    const QString &at) const;
    [[nodiscard]] QStringList checkKeyword(const QString &keyword, const QJsonValue &rule,
                                           const QJsonValue &value, const QString &at) const;
    [[nodiscard]] QStringList checkProperties(const QJsonObject &rule, const QJsonObject &value,
                                              const QString &at) const;
    [[nodiscard]] QStringList checkOneOf(const QJsonArray &rules, const QJsonValue &value,
                                         const QString &at) const;
    [[nodiscard]] QJsonObject referred(const QString &reference) const;

    QJsonObject m_root;
};

} // namespace headway::tests
