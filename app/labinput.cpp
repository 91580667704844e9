// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab.h"
#include "proxy/core/ledger/columns.h"
#include "proxy/core/ledger/record.h"
#include "proxy/store/ledgerreader.h"

#include <QFile>

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace headway::app {

namespace {

using namespace std::chrono_literals;

// Puts the admission records of a ledger, in the order they were made, together into arrivals.
class ArrivalCollector final
{
public:
    void add(const ledger::Record &record)
    {
        const auto *admission = std::get_if<ledger::Admission>(&record.body);
        if (admission == nullptr)
            return;
        const bool asked = admission->outcome == "admitted" || admission->outcome == "queued"
            || admission->outcome == "refused";
        if (asked && !m_turns.contains(record.turn.value()))
            begin(record);
        else if (admission->outcome == "cancelled")
            cancel(record);
    }

    std::vector<lab::Arrival> take()
    {
        std::stable_sort(m_arrivals.begin(), m_arrivals.end(),
                         [](const auto &a, const auto &b) { return a.at < b.at; });
        return std::move(m_arrivals);
    }

private:
    void begin(const ledger::Record &record)
    {
        if (m_arrivals.empty())
            m_first = record.at;
        m_turns.emplace(record.turn.value(), m_arrivals.size());
        lab::Arrival arrival;
        arrival.at = std::max<base::Nanoseconds>(record.at - m_first, 0ns);
        arrival.session = lab::hashedName(record.session);
        arrival.agent = lab::hashedName(record.agent);
        m_arrivals.push_back(arrival);
    }

    void cancel(const ledger::Record &record)
    {
        const auto turn = m_turns.find(record.turn.value());
        if (turn == m_turns.end())
            return;
        lab::Arrival &arrival = m_arrivals[turn->second];
        arrival.cancelAfter = std::max<base::Nanoseconds>(record.at - m_first - arrival.at, 0ns);
    }

    base::WallTime m_first{};
    std::unordered_map<std::uint64_t, std::size_t> m_turns; // index of each turn's arrival
    std::vector<lab::Arrival> m_arrivals;
};

QString named(const QString &path, const store::StoreError &error)
{
    return error.text.contains(path) ? error.text : path % QStringLiteral(": ") % error.text;
}

} // namespace

tl::expected<QByteArray, QString> readLabFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(QStringLiteral("cannot read %1: %2").arg(path, file.errorString()));
    return file.readAll();
}

bool isLedger(const QString &path)
{
    const QByteArray magic("SQLite format 3");
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(magic.size()) == magic;
}

tl::expected<std::vector<lab::Arrival>, QString>
arrivalsFromLedger(const QString &path, std::optional<base::WallTime> since)
{
    const auto ledger = store::LedgerReader::open(path);
    if (!ledger)
        return tl::unexpected(named(path, ledger.error()));
    store::LedgerSpan span;
    span.since = since;
    if (const auto kind = ledger::findKind("admission"))
        span.kinds = {*kind};
    auto cursor = ledger->records(span);
    if (!cursor)
        return tl::unexpected(named(path, cursor.error()));
    ArrivalCollector collector;
    for (;;) {
        const auto more = cursor->next();
        if (!more)
            return tl::unexpected(named(path, more.error()));
        if (!*more)
            return collector.take();
        collector.add(cursor->record());
    }
}

} // namespace headway::app
