// SPDX-License-Identifier: GPL-3.0-or-later
// Whose event it is (protocol notes 1.5: events interleave across lanes; errors name theirs "when
// attributable").
#include "proxy/engine/laneroute.h"

#include <QTest>

#include <vector>

using namespace headway;
using engine::LaneRoute;
using engine::routeOf;
using Reach = engine::LaneRoute::Reach;

class LaneRouteTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesWhereItBelongs_data();
    void goesWhereItBelongs();
};

using Lanes = std::vector<std::string_view>;
Q_DECLARE_METATYPE(Lanes)
Q_DECLARE_METATYPE(Reach)

void LaneRouteTest::goesWhereItBelongs_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<Lanes>("inUse");
    QTest::addColumn<Reach>("reach");
    QTest::addColumn<QByteArray>("lane");
    const Lanes two{"a", "b"};
    const Lanes mixed{"", "a"};
    const QByteArray delta = R"({"type":"response.output_text.delta","delta":"x"})";
    const QByteArray deltaOfB
        = R"({"type":"response.output_text.delta","delta":"x","stream_id":"b"})";
    const QByteArray error = R"({"type":"error","status":500,"error":{"message":"x"}})";
    const QByteArray old
        = R"({"type":"error","status":400,"error":{"code":"websocket_connection_limit_reached","message":"x"}})";
    const QByteArray limits = R"({"type":"codex.rate_limits","rate_limits":{}})";
    const QByteArray timing = R"({"type":"responsesapi.websocket_timing"})";
    QTest::newRow("named") << deltaOfB << two << Reach::One << QByteArray("b");
    QTest::newRow("named, not in use")
        << deltaOfB << Lanes{"a", "c"} << Reach::Nobody << QByteArray();
    QTest::newRow("named, to the one that named none")
        << deltaOfB << Lanes{""} << Reach::One << QByteArray("");
    QTest::newRow("no name, one in use") << delta << Lanes{"a"} << Reach::One << QByteArray("a");
    QTest::newRow("no name, several in use") << delta << two << Reach::Stray << QByteArray();
    QTest::newRow("no name, the default lane in use")
        << delta << mixed << Reach::One << QByteArray("");
    QTest::newRow("nobody there") << delta << Lanes{} << Reach::Nobody << QByteArray();
    QTest::newRow("an error without a name") << error << two << Reach::Everybody << QByteArray();
    QTest::newRow("an error on the default lane") << error << mixed << Reach::One << QByteArray("");
    QTest::newRow("the connection is old") << old << mixed << Reach::Everybody << QByteArray();
    QTest::newRow("rate limits") << limits << two << Reach::Nobody << QByteArray();
    QTest::newRow("timing") << timing << two << Reach::Nobody << QByteArray();
}

void LaneRouteTest::goesWhereItBelongs()
{
    QFETCH(const QByteArray, event);
    QFETCH(const Lanes, inUse);
    QFETCH(const Reach, reach);
    QFETCH(const QByteArray, lane);
    dialects::EventReader reader;
    const std::string frame = event.toStdString();
    const auto read = reader.read(frame, frame.size(), {});
    QVERIFY(read);
    const LaneRoute route = routeOf(*read, inUse);
    QVERIFY(route.reach == reach);
    QCOMPARE(QByteArray(route.lane.data(), static_cast<qsizetype>(route.lane.size())), lane);
}

QTEST_APPLESS_MAIN(LaneRouteTest)
#include "tst_laneroute.moc"
