// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/shortcall.h"

#include "proxy/net/upstream/httpsexchange.h"

#include <utility>

namespace headway::net {

ShortCall::ShortCall(QObject *parent)
    : QObject(parent)
    , m_exchange(std::make_unique<HttpsExchange>())
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        fail(QStringLiteral("there was no answer within %1 s").arg(m_timer.interval() / 1000));
    });
    connect(m_exchange.get(), &HttpsExchange::answered, this, [this](const UpgradeReply &head) {
        m_reply.status = head.status;
        m_reply.headers = head.headers;
    });
    connect(m_exchange.get(), &HttpsExchange::received, this, [this](std::string_view bytes) {
        if (m_reply.body.size() + bytes.size() > maxBodyBytes)
            fail(QStringLiteral("the answer is too long"));
        else if (!m_over)
            m_reply.body += bytes;
    });
    connect(m_exchange.get(), &HttpsExchange::finished, this, [this] {
        if (std::exchange(m_over, true))
            return;
        m_timer.stop();
        Q_EMIT answered(m_reply);
    });
    connect(m_exchange.get(), &HttpsExchange::failed, this,
            [this](HttpsExchange::Stage /*stage*/, const QString &reason) { fail(reason); });
}

ShortCall::~ShortCall() = default;

void ShortCall::start(const Endpoint &endpoint, HttpsRequest request,
                      std::chrono::milliseconds timeout)
{
    m_timer.start(timeout);
    m_exchange->start(endpoint, std::move(request), {}, timeout);
}

void ShortCall::fail(const QString &reason)
{
    if (std::exchange(m_over, true))
        return;
    m_timer.stop();
    m_exchange->abort();
    Q_EMIT failed(reason);
}

} // namespace headway::net
