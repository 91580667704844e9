// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QObject>
#include <QPair>
#include <QTcpSocket>

namespace headway::tests {

// One HTTP request over a socket of its own, and what came back so far. Knows just enough of
// HTTP/1.1 for the tests: Content-Length, chunked, and close.
class HttpCall final : public QObject
{
    Q_OBJECT

public:
    using Headers = QList<QPair<QByteArray, QByteArray>>;

    HttpCall(quint16 port, const QByteArray &method, const QByteArray &path, const Headers &headers,
             const QByteArray &body, QObject *parent = nullptr);
    ~HttpCall() override { m_socket.disconnect(this); } // a socket signals while it goes

    [[nodiscard]] bool hasHead() const { return m_status != 0; }
    [[nodiscard]] int status() const { return m_status; }
    [[nodiscard]] QByteArray header(const QByteArray &lowerCaseName) const
    {
        return m_headers.value(lowerCaseName);
    }
    [[nodiscard]] const QByteArray &body() const { return m_body; } // decoded, as far as it came
    [[nodiscard]] bool isComplete() const { return m_complete; } // ended as HTTP says
    [[nodiscard]] bool isClosed() const { return m_closed; }
    // SSE: the names of the events so far, in order.
    [[nodiscard]] QList<QByteArray> events() const;

    void abort() { m_socket.abort(); } // TCP reset
    void stopReading(); // leaves what comes to the kernel
    void goOnReading();

private:
    void read();
    void readHead();
    void readChunks();

    QTcpSocket m_socket;
    QByteArray m_raw;
    QByteArray m_body;
    QHash<QByteArray, QByteArray> m_headers;
    int m_status = 0;
    bool m_complete = false;
    bool m_closed = false;
    bool m_stopped = false;
};

} // namespace headway::tests
