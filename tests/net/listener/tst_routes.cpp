// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/routes.h"

#include <QTest>

using namespace headway::net;

Q_DECLARE_METATYPE(headway::net::Route)
Q_DECLARE_METATYPE(headway::net::RouteClass)

// spec/cli.md: "Routes are recognised by their end, any prefix before it is allowed".
class RoutesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areRecognised_data();
    void areRecognised();
    void areRefused_data();
    void areRefused();
};

void RoutesTest::areRecognised_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("upgrade");
    QTest::addColumn<Route>("route");
    QTest::addColumn<RouteClass>("routeClass");
    const auto row = [](const char *method, const char *path, Route route, RouteClass routeClass,
                        bool upgrade = false) {
        QTest::addRow("%s %s%s", method, path, upgrade ? " upgrade" : "")
            << QByteArray(method) << QByteArray(path) << upgrade << route << routeClass;
    };
    row("POST", "/v1/messages", Route::Messages, RouteClass::Model);
    row("POST", "/messages", Route::Messages, RouteClass::Model);
    row("POST", "/anthropic/v1/messages", Route::Messages, RouteClass::Model);
    row("POST", "/v1/messages/count_tokens", Route::CountTokens, RouteClass::Model);
    row("POST", "/backend-api/codex/responses", Route::Responses, RouteClass::Model);
    row("GET", "/backend-api/codex/responses", Route::Responses, RouteClass::Model, true);
    row("POST", "/v1/chat/completions", Route::ChatCompletions, RouteClass::Model);
    row("GET", "/v1/models", Route::Models, RouteClass::Model);
    row("HEAD", "/v1/models", Route::Models, RouteClass::Model);
    row("GET", "/v1/models/gpt-5", Route::Models, RouteClass::Model);
    row("GET", "/v1/models/openai/gpt-5", Route::Models, RouteClass::Model);
    row("POST", "/v1/models/x/messages", Route::Messages, RouteClass::Model);
    row("HEAD", "/", Route::Probe, RouteClass::Open);
    row("HEAD", "/anthropic/", Route::Probe, RouteClass::Open);
    row("HEAD", "/api/hello", Route::Probe, RouteClass::Open);
    row("HEAD", "/anthropic/api/hello", Route::Probe, RouteClass::Open);
    row("GET", "/healthz", Route::Health, RouteClass::Open);
    row("GET", "/metrics", Route::Metrics, RouteClass::Control);
    row("GET", "/headway/v1/state", Route::State, RouteClass::Control);
    row("GET", "/headway/v1/feed", Route::Feed, RouteClass::Control, true);
}

void RoutesTest::areRecognised()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QByteArray, path);
    QFETCH(const bool, upgrade);
    QFETCH(const Route, route);
    QFETCH(const RouteClass, routeClass);
    const auto match = findRoute(method.toStdString(), path.toStdString(), upgrade);
    QVERIFY(match.has_value());
    QVERIFY(match->route == route);
    QVERIFY(match->routeClass == routeClass);
}

void RoutesTest::areRefused_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("upgrade");
    QTest::addColumn<int>("status");
    const auto row = [](const char *method, const char *path, int status, bool upgrade = false) {
        QTest::addRow("%s %s%s", method, path, upgrade ? " upgrade" : "")
            << QByteArray(method) << QByteArray(path) << upgrade << status;
    };
    row("POST", "/v1/xmessages", 404);
    row("POST", "/v1/messages/", 404);
    row("POST", "/v1/messages/other", 404);
    row("POST", "", 404);
    row("GET", "/v1/models/", 404);
    row("GET", "/prefix/healthz", 404); // ours take no prefix
    row("GET", "/prefix/headway/v1/state", 404);
    row("GET", "/prefix/metrics", 404);
    row("GET", "/headway/v1/other", 404);
    row("GET", "/v1/messages", 405);
    row("OPTIONS", "/v1/responses", 405);
    row("DELETE", "/headway/v1/state", 405);
    row("GET", "/api/hello", 405);
    row("GET", "/v1/responses", 426);
    row("GET", "/headway/v1/feed", 426);
    row("GET", "/v1/messages", 426, true);
    row("POST", "/v1/responses", 426, true);
    row("GET", "/headway/v1/state", 426, true);
    row("GET", "/nowhere", 426, true);
}

void RoutesTest::areRefused()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QByteArray, path);
    QFETCH(const bool, upgrade);
    QFETCH(const int, status);
    const auto match = findRoute(method.toStdString(), path.toStdString(), upgrade);
    QVERIFY(!match.has_value());
    QCOMPARE(match.error().status, status);
}

QTEST_APPLESS_MAIN(RoutesTest)
#include "tst_routes.moc"
