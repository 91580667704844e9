// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/jsontext.h"

#include "proxy/core/json/quote.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace headway::simulator {

QByteArray quoted(const QString &text)
{
    return QByteArray::fromStdString(json::literal(text.toStdString()));
}

QByteArray compactJson(const QJsonValue &value)
{
    // A document holds no bare value: one is wrapped and unwrapped.
    const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

} // namespace headway::simulator
