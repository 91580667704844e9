// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QByteArrayView>

#include <optional>

namespace headway::simulator {

struct ServerSentEvent
{
    QByteArray name;
    QByteArray data; // lines joined with \n
};

// Splits a text/event-stream body into events; comments and events without data are skipped.
class SseReader final
{
public:
    void append(QByteArrayView bytes) { m_buffer.append(bytes); }
    [[nodiscard]] std::optional<ServerSentEvent> next();

private:
    QByteArray m_buffer;
};

} // namespace headway::simulator
