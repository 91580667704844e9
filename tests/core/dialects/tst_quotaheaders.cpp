// SPDX-License-Identifier: GPL-3.0-or-later
// A ChatGPT plan's windows in Anthropic's words (table 5.4, protocol notes 4.4).
#include "proxy/core/dialects/quotaheaders.h"

#include <QByteArray>
#include <QTest>

#include <chrono>

using namespace headway;
using namespace std::chrono_literals;
using dialects::Door;

namespace {

QByteArray said(Door door, const std::vector<pacing::QuotaWindow> &windows, bool rejected = false)
{
    QByteArray lines;
    for (const auto &[name, value] : dialects::quotaHeaders(door, windows, rejected))
        lines += QByteArray::fromStdString(name + ": " + value) + '\n';
    return lines.replace("anthropic-ratelimit-unified-", "~");
}

pacing::QuotaWindow window(base::Seconds length, double percent,
                           std::optional<base::Seconds> resetsAt, const char *meter = "codex")
{
    pacing::QuotaWindow window{meter, {}, length, percent, {}};
    if (resetsAt)
        window.resetsAt = base::WallTime(*resetsAt);
    return window;
}

} // namespace

class QuotaHeadersTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellTheWindowsByTheirLength();
    void leaveTheStatusOfARefusalToIt();
    void sayNothingWhereNothingIsKnown();
};

void QuotaHeadersTest::tellTheWindowsByTheirLength()
{
    QCOMPARE(said(Door::Messages, {window(5h, 62, 1'800'000'000s), window(168h, 12.5, {})}),
             QByteArray("~5h-utilization: 0.62\n~5h-reset: 1800000000\n~7d-utilization: 0.125\n"
                        "~representative-claim: five_hour\n~status: allowed\n"
                        "~reset: 1800000000\n"));
    QCOMPARE(said(Door::Messages, {window(5h, 3, 7s), window(168h, 100, 9s)}),
             QByteArray("~5h-utilization: 0.03\n~5h-reset: 7\n~7d-utilization: 1\n~7d-reset: 9\n"
                        "~representative-claim: seven_day\n~status: allowed\n~reset: 9\n"));
}

void QuotaHeadersTest::leaveTheStatusOfARefusalToIt()
{
    QCOMPARE(said(Door::Messages, {window(5h, 100, 7s)}, true),
             QByteArray("~5h-utilization: 1\n~5h-reset: 7\n~representative-claim: five_hour\n"));
}

void QuotaHeadersTest::sayNothingWhereNothingIsKnown()
{
    const std::vector known{window(5h, 1, 7s)};
    for (const Door door : {Door::Responses, Door::ResponsesSocket, Door::ChatCompletions})
        QCOMPARE(said(door, known), QByteArray());
    QCOMPARE(said(Door::Messages, {}), QByteArray());
    QCOMPARE(said(Door::Messages, {window(90min, 50, 7s)}), QByteArray()); // no word for it
    QCOMPARE(said(Door::Messages, {window(5h, 50, 7s, "spark")}), QByteArray());
}

QTEST_APPLESS_MAIN(QuotaHeadersTest)
#include "tst_quotaheaders.moc"
