// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerstore.h"

#include <QCoreApplication>

#include <cstdio>

// Writes lives of turns and admissions into a ledger batch upon batch, and prints how many
// records are committed, until it is killed. Some fifty lives are open at any moment.
namespace {

using namespace headway;

ledger::Record of(std::uint64_t turn, ledger::Body body)
{
    return {.at = std::chrono::floor<base::Milliseconds>(std::chrono::system_clock::now()),
            .turn = base::TurnId(turn),
            .session = "0a1b2c3d4e5f",
            .agent = {},
            .body = std::move(body)};
}

std::vector<ledger::Record> nextRecords(std::uint64_t life, std::uint64_t firstTurn)
{
    ledger::Admission asks;
    asks.outcome = life % 2 == 0 ? "admitted" : "queued";
    asks.request = life;
    std::vector<ledger::Record> records{
        of(firstTurn + life, ledger::TurnStarted{"messages", "asked", "used", "high", life}),
        of(firstTurn + life, asks)};
    if (life <= 50)
        return records;
    const std::uint64_t older = life - 50;
    if (older % 2 == 0) {
        ledger::Connection opened;
        opened.event = "opened";
        opened.request = older;
        records.push_back(of(firstTurn + older, opened));
    } else {
        asks.outcome = "cancelled";
        asks.request = older;
        records.push_back(of(firstTurn + older, asks));
    }
    ledger::TurnEnded ended;
    ended.end = "completed";
    records.push_back(of(firstTurn + older, ended));
    return records;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 3)
        return 2;
    const std::uint64_t firstTurn = arguments.at(2).toULongLong();

    store::LedgerOptions options;
    options.path = arguments.at(1);
    options.batchAge = std::chrono::milliseconds(1);
    options.batchSize = 200;
    store::LedgerStore ledger(options);
    std::uint64_t life = 0;
    const auto appendMore = [&] {
        for (int i = 0; i < 20; ++i)
            ledger.append(nextRecords(++life, firstTurn));
    };
    QObject::connect(&ledger, &store::LedgerStore::committed, &application, [&](quint64 records) {
        std::printf("%llu\n", static_cast<unsigned long long>(records));
        std::fflush(stdout);
        appendMore();
    });
    ledger.start();
    ledger.append({of(0, ledger::Process{"started", "0.1.0", 1})});
    appendMore();
    return QCoreApplication::exec();
}
