// SPDX-License-Identifier: GPL-3.0-or-later
// Short texts of many kinds: what the averages of tokenestimate.h make of each alone. The texts are
// none of those that the averages were measured over; the counts were made with o200k tokenizers:
// two that share no code agree on each.
#include "proxy/core/dialects/tokenestimate.h"

#include <QByteArray>
#include <QTest>

#include <cmath>

using namespace headway::dialects;

class TokenSamplesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachIsWithinFifteenPercent_data();
    void eachIsWithinFifteenPercent();
    void allTogetherAreWithinFivePercent();

private:
    double m_estimated = 0;
    int m_counted = 0;
};

void TokenSamplesTest::eachIsWithinFifteenPercent_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("tokens");
    const auto row = [](const char *name, const char *text, int tokens) {
        QTest::newRow(name) << QByteArray(text) << tokens;
    };
    row("shell", R"~(#!/bin/sh
set -eu
usage() { echo "usage: $0 [--prefix DIR] [--keep-going] FILE..." >&2; exit 2; }
while [ $# -gt 0 ]; do
	case "$1" in
	--prefix) PREFIX=$2; shift 2 ;;
	--keep-going) KEEP_GOING=1; shift ;;
	-*) usage ;;
	*) break ;;
	esac
done
for f in "$@"; do
	tar -xzf "$f" -C "${PREFIX:-/usr/local}" || [ -n "${KEEP_GOING:-}" ]
done
)~",
        130);
    row("C header", R"~(#ifndef PACKET_QUEUE_H
#define PACKET_QUEUE_H

#include <stdint.h>

#define PQ_MAX_ENTRIES 4096u
#define PQ_FLAG_BLOCKING (1u << 0)

struct pq_entry {
	uint32_t len;
	uint16_t proto;
	uint8_t data[];
};

int pq_init(struct pq_queue *q, unsigned int flags);
ssize_t pq_push(struct pq_queue *q, const struct pq_entry *e);
void pq_destroy(struct pq_queue *q);

#endif /* PACKET_QUEUE_H */
)~",
        106);
    row("CMake", R"~(cmake_minimum_required(VERSION 3.25)
project(weather LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Qt6 REQUIRED COMPONENTS Core Network Test)
add_library(weather_core STATIC station.cpp station.h forecast.cpp forecast.h)
target_link_libraries(weather_core PUBLIC Qt6::Core PRIVATE Qt6::Network)
if(WEATHER_BUILD_TESTS)
    enable_testing()
    add_subdirectory(tests)
endif()
install(TARGETS weather_core ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
)~",
        109);
    row("JSON", R"~({
  "name": "weather-station",
  "version": "2.4.1",
  "private": true,
  "scripts": { "build": "tsc -p tsconfig.json", "test": "vitest run --coverage" },
  "dependencies": { "fastify": "^4.26.2", "zod": "~3.22.4" },
  "devDependencies": { "@types/node": "^20.11.30", "typescript": "5.4.3", "vitest": "^1.4.0" },
  "engines": { "node": ">=20" }
}
)~",
        137);
    row("SQL", R"~(SELECT c.name, COUNT(*) AS orders, SUM(o.total_cents) / 100.0 AS revenue
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.id AND o.created_at >= '2026-01-01'
WHERE c.country IN ('DE', 'AT', 'CH')
GROUP BY c.id
HAVING COUNT(*) > 3
ORDER BY revenue DESC
LIMIT 20;
)~",
        86);
    row("log of a server",
        R"~(2026-11-30T18:22:01.337Z INFO  http: GET /api/v2/stations/4711/readings?from=2026-11-01 200 in 48 ms
2026-11-30T18:22:01.902Z WARN  pool: connection 17 idle for 301 s, closing
2026-11-30T18:22:04.010Z ERROR worker-3: sqlite3.OperationalError: database is locked
Traceback (most recent call last):
  File "/opt/weather/worker.py", line 212, in flush
    cursor.executemany(INSERT_READING, batch)
)~",
        143);
    row("web token",
        R"~({"token":"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZ)~"
        R"~(SI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQ)~"
        R"~(ssw5c"})~",
        108);
    row("base64",
        R"~(RXx2nznYZEGZwOW9vPvIWzfOkcveH8Gw6mtE8TBDbdcp/mm9nozrpqB9HewlsbCH7+JsB/8NIdfbCzN3)~"
        R"~(dzilxnTTf/E26sE/VTIjpjhBRg07aqHmjWgnKPYQ+xx/2S1fougUeABxUt6oZR8/zll5YWjpM4uH/hoa)~",
        107);
    row("hexadecimal",
        R"~(b6589fc6ab0dc82cf12099d1c2d40ab994e8410c 356a192b7913b04c54574d18c28d46e6395428a)~"
        R"~(b da4b9237bacccdf19c0760cab7aec4a8359010b0 77de68daecd823babbb58edb1c8e14d7106e8)~"
        R"~(3bb)~",
        92);
    row("drawn lines",
        R"~(#=============================================================================
# Options of the build                                                       
#=============================================================================

+----------------------+---------+
| option               | default |
+----------------------+---------+
| WITH_SYSTEM_LIBS     | ON      |
| BUILD_DOCUMENTATION  | OFF     |
+----------------------+---------+
)~",
        53);
    row("prose in capitals",
        R"~(THE GOODS ARE SOLD AS SEEN, AND THE SELLER SHALL IN NO EVENT BE LIABLE FOR ANY DAMAGE, DIRECT OR INDIRECT, THAT ARISES FROM THEIR USE. THE BUYER MAY RETURN THEM WITHIN FOURTEEN DAYS.
)~",
        47);
    row("dialogue",
        R"~("I don't know," she said. "They'd have told us if it wasn't safe, wouldn't they?" He shrugged. It's what everyone's been asking since Monday, and nobody's answered yet.
)~",
        38);
    row("german",
        R"~(Die Wetterstation überträgt alle zehn Minuten ihre Messwerte an den Server. Fällt die Verbindung aus, speichert sie bis zu tausend Datensätze und schickt sie später nach. Größere Abweichungen werden geprüft, bevor sie in der Übersicht erscheinen.
)~",
        55);
    row("french",
        R"~(La station météo envoie ses mesures au serveur toutes les dix minutes. Si la connexion est coupée, elle conserve jusqu'à mille relevés et les transmet plus tard. Les écarts importants sont vérifiés avant d'être affichés dans le tableau.
)~",
        50);
    row("polish",
        R"~(Stacja pogodowa co dziesięć minut przesyła pomiary na serwer. Jeśli połączenie zostanie przerwane, zachowuje do tysiąca odczytów i wysyła je później. Większe odchylenia są sprawdzane, zanim pojawią się w zestawieniu.
)~",
        71);
    row("russian",
        R"~(Метеостанция каждые десять минут отправляет измерения на сервер. Если связь прервана, она хранит до тысячи записей и передаёт их позже. Большие отклонения проверяются, прежде чем они появятся в сводке.
)~",
        55);
    row("chinese",
        R"~(气象站每十分钟向服务器发送一次测量数据。如果连接中断,它最多可以保存一千条记录,并在稍后补发。
)~",
        34);
    row("chinese, traditional",
        R"~(氣象站每十分鐘向伺服器傳送一次測量資料。如果連線中斷,它最多可以保存一千筆記錄,並在稍後補送。
)~",
        41);
    row("japanese",
        R"~(気象観測所は十分ごとに測定値をサーバーへ送信します。接続が切れた場合は最大千件の記録を保存し、後でまとめて送ります。
)~",
        47);
    row("korean",
        R"~(기상 관측소는 십 분마다 측정값을 서버로 보냅니다. 연결이 끊기면 최대 천 건의 기록을 보관했다가 나중에 전송합니다.
)~",
        43);
}

void TokenSamplesTest::eachIsWithinFifteenPercent()
{
    QFETCH(const QByteArray, text);
    QFETCH(const int, tokens);
    const double estimated = estimateTokens(text.toStdString());
    m_estimated += estimated;
    m_counted += tokens;
    QVERIFY2(std::abs(estimated - tokens) <= 0.15 * tokens, qPrintable(QString::number(estimated)));
}

void TokenSamplesTest::allTogetherAreWithinFivePercent()
{
    QVERIFY(m_counted > 1000);
    QVERIFY2(std::abs(m_estimated - m_counted) <= 0.05 * m_counted,
             qPrintable(QString::number(m_estimated)));
}

QTEST_APPLESS_MAIN(TokenSamplesTest)
#include "tst_tokensamples.moc"
