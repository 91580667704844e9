// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/httpcall.h"

#include <QHostAddress>

namespace headway::tests {

HttpCall::HttpCall(quint16 port, const QByteArray &method, const QByteArray &path,
                   const Headers &headers, const QByteArray &body, QObject *parent)
    : QObject(parent)
{
    QByteArray request = method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    for (const auto &[name, value] : headers)
        request += name + ": " + value + "\r\n";
    if (!body.isEmpty() || method == "POST")
        request += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    request += "\r\n" + body;
    connect(&m_socket, &QTcpSocket::connected, this, [this, request] { m_socket.write(request); });
    connect(&m_socket, &QTcpSocket::readyRead, this, &HttpCall::read);
    connect(&m_socket, &QTcpSocket::stateChanged, this, [this](QAbstractSocket::SocketState state) {
        if (state == QAbstractSocket::UnconnectedState) {
            read();
            m_closed = true;
        }
    });
    m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
}

void HttpCall::stopReading()
{
    m_stopped = true;
    m_socket.setReadBufferSize(1);
}

void HttpCall::goOnReading()
{
    m_stopped = false;
    m_socket.setReadBufferSize(0);
    read();
}

void HttpCall::read()
{
    if (m_stopped)
        return;
    if (m_socket.isOpen())
        m_raw += m_socket.readAll();
    if (m_status == 0)
        readHead();
    if (m_status == 0 || m_complete)
        return;
    if (m_headers.value("transfer-encoding") == "chunked") {
        readChunks();
        return;
    }
    m_body += m_raw;
    m_raw.clear();
    if (m_headers.contains("content-length"))
        m_complete = m_body.size() >= m_headers.value("content-length").toLongLong();
}

void HttpCall::readHead()
{
    const qsizetype end = m_raw.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    const QList<QByteArray> lines = m_raw.left(end).split('\n');
    m_raw.remove(0, end + 4);
    m_status = lines.at(0).split(' ').value(1).toInt();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        m_headers.insert(line.left(colon).trimmed().toLower(), line.mid(colon + 1).trimmed());
    }
    if (m_status == 100)
        m_status = 0;
}

void HttpCall::readChunks()
{
    while (!m_complete) {
        const qsizetype lineEnd = m_raw.indexOf("\r\n");
        if (lineEnd < 0)
            return;
        const qsizetype size = m_raw.left(lineEnd).toLongLong(nullptr, 16);
        if (m_raw.size() < lineEnd + 2 + size + 2)
            return;
        m_body += m_raw.mid(lineEnd + 2, size);
        m_raw.remove(0, lineEnd + 2 + size + 2);
        m_complete = size == 0;
    }
}

QList<QByteArray> HttpCall::events() const
{
    QList<QByteArray> names;
    for (const QByteArray &line : m_body.split('\n')) {
        if (line.startsWith("event: "))
            names << line.mid(7).trimmed();
    }
    return names;
}

} // namespace headway::tests
