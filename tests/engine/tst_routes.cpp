// SPDX-License-Identifier: GPL-3.0-or-later
// spec/cli.md: routes are recognised by their end, any prefix before it is allowed.
#include "proxy/engine/routes.h"

#include <QTest>

using headway::engine::Route;
using headway::engine::routeOf;

class RoutesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areRecognisedByMethodAndEnd_data();
    void areRecognisedByMethodAndEnd();
};

void RoutesTest::areRecognisedByMethodAndEnd_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("route");
    const auto row = [](const char *method, const char *path, Route route) {
        QTest::addRow("%s %s", method, path)
            << QByteArray(method) << QByteArray(path) << int(route);
    };
    row("POST", "/v1/messages", Route::Messages);
    row("POST", "/anthropic/v1/messages", Route::Messages);
    row("POST", "/v1/messages/count_tokens", Route::CountTokens);
    row("GET", "/v1/models", Route::Models);
    row("GET", "/v1/models/gpt-5.5", Route::Models);
    row("POST", "/v1/responses", Route::Responses);
    row("POST", "/backend-api/codex/responses", Route::Responses);
    row("GET", "/healthz", Route::Health);
    row("HEAD", "/", Route::Probe);
    row("HEAD", "/api/hello", Route::Probe);
    row("HEAD", "/anthropic/api/hello", Route::Probe);
    row("GET", "/headway/v1/state", Route::State);
    row("GET", "/v1/messages", Route::Unknown);
    row("POST", "/healthz", Route::Unknown);
    row("POST", "/v1/messages/", Route::Unknown);
    row("POST", "/v1/xmessages", Route::Unknown);
}

void RoutesTest::areRecognisedByMethodAndEnd()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QByteArray, path);
    QFETCH(const int, route);
    QCOMPARE(int(routeOf(method.constData(), path.constData())), route);
}

QTEST_APPLESS_MAIN(RoutesTest)
#include "tst_routes.moc"
