// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QString>

namespace headway::simulator {

// `text` as a JSON string literal, quotes included.
[[nodiscard]] QByteArray quoted(const QString &text);

// Any value as compact JSON. Keys come sorted: for what the simulator made itself.
[[nodiscard]] QByteArray compactJson(const QJsonValue &value);

} // namespace headway::simulator
