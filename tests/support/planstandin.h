// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QPointer>
#include <QSet>
#include <QString>
#include <QTcpServer>
#include <QTcpSocket>

namespace headway::tests {

// Stands in for the sign-in server and the door of the plan endpoint, on one loopback port. Tokens
// rotate: a refresh token is redeemed once, and a second try is an error as the real server's is.
// What knocks at /backend-api/… with a token of ours that has not ended is passed on, byte for
// byte, to a provider on another port; anybody else gets 401. Every secret holds `marker`.
class PlanStandIn final : public QTcpServer
{
    Q_OBJECT

public:
    static constexpr const char *marker = "SECRETMARKER";
    static constexpr const char *email = "person@example.com"; // as the tokens name the user

    explicit PlanStandIn(quint16 providerPort = 0);

    [[nodiscard]] QByteArray issuer() const; // http://127.0.0.1:PORT
    [[nodiscard]] QString responsesUrl() const;
    // The setting `upstream` for it.
    [[nodiscard]] QString upstream() const { return QStringLiteral("chatgpt=") + responsesUrl(); }

    // Tokens of a new sign-in, as our own file holds them. Their access token ends in `seconds`.
    [[nodiscard]] QByteArray signIn(qint64 seconds);
    // The same as `codex login` leaves them.
    [[nodiscard]] QByteArray codexSignIn(qint64 seconds);
    void revokeAccess() { m_access.clear(); } // every access token that is out

    qint64 lifetime = 3600; // of the access tokens that a refresh gives
    int refusal = 0; // a status for every refresh from now on
    QByteArray refusalBody;
    bool holding = false; // refreshes are answered by release()
    int pendingPolls = 0; // answers "not yet" to that many questions about the device code

    void release();

    [[nodiscard]] int redeemed() const { return m_redeemed; } // refresh tokens, rightly
    [[nodiscard]] int reused() const { return m_reused; } // and wrongly
    [[nodiscard]] int polls() const { return m_polls; }
    [[nodiscard]] int doors() const { return m_doors; } // calls of the plan endpoint
    [[nodiscard]] int refusedDoors() const { return m_refusedDoors; }
    // Header names in lower case, of the last call of the plan endpoint.
    [[nodiscard]] QByteArray doorHeader(const QByteArray &name) const { return m_door.value(name); }
    [[nodiscard]] const QList<QByteArray> &requests() const { return m_requests; } // "POST /path"

protected:
    void incomingConnection(qintptr handle) override;

private:
    struct Request
    {
        QByteArray line;
        QHash<QByteArray, QByteArray> headers;
        QByteArray body;
    };

    void read(QTcpSocket *socket);
    void answer(QTcpSocket *socket, const Request &request);
    void answerTokens(QTcpSocket *socket, const Request &request);
    void passOn(QTcpSocket *socket, const QByteArray &raw);
    [[nodiscard]] QJsonObject mint(qint64 seconds);
    static void reply(QTcpSocket *socket, int status, const QByteArray &body);

    quint16 m_providerPort;
    QHash<QTcpSocket *, QByteArray> m_raw;
    QSet<QByteArray> m_access; // accepted
    QByteArray m_refresh; // the one that works
    QHash<QByteArray, QByteArray> m_door;
    QList<QByteArray> m_requests;
    QList<QPair<QPointer<QTcpSocket>, QByteArray>> m_held;
    int m_minted = 0;
    int m_redeemed = 0;
    int m_reused = 0;
    int m_polls = 0;
    int m_doors = 0;
    int m_refusedDoors = 0;
};

} // namespace headway::tests
