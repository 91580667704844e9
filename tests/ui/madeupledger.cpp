// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeupledger.h"

#include "scene.h"

#include <map>

namespace headway::test {

namespace {

constexpr qint64 everyTenth = 10;
constexpr std::size_t turnEnded = 1; // places in ledger::kinds()
constexpr std::size_t warning = 11;

bool isWarning(qint64 number)
{
    return number % everyTenth == 0;
}

QString agentOf(qint64 number)
{
    return isWarning(number) ? QString() : QStringLiteral("agent-%1").arg(number % 3);
}

QString wordOf(qint64 number)
{
    return isWarning(number) ? QStringLiteral("odd words %1").arg(number)
                             : QStringLiteral("completed");
}

class Source final : public ui::LedgerSource
{
public:
    explicit Source(std::shared_ptr<MadeUpLedger::State> state)
        : m_state(std::move(state))
    {
    }

    tl::expected<ui::LedgerExtent, QString> extent() override
    {
        if (m_state->isBroken)
            return tl::unexpected(QStringLiteral("the file is damaged"));
        if (m_state->last == 0)
            return ui::LedgerExtent{};
        return ui::LedgerExtent{m_state->first, m_state->last};
    }

    tl::expected<std::vector<ui::LedgerGroup>, QString> search(const ui::LedgerQuestion &question,
                                                               qint64 from, qint64 to) override
    {
        ++m_state->searches;
        if (m_state->isSlow)
            m_state->permits.acquire();
        std::map<std::pair<std::size_t, std::string>, std::vector<qint64>> groups;
        for (qint64 number = from; number <= to; ++number) {
            const std::size_t kind = isWarning(number) ? warning : turnEnded;
            if (question.kind && *question.kind != kind)
                continue;
            if (!question.words.isEmpty() && !wordOf(number).contains(question.words)
                && !agentOf(number).contains(question.words))
                continue;
            groups[{kind, keyOf(question.order, number)}].push_back(number);
        }
        std::vector<ui::LedgerGroup> found;
        for (auto &[key, numbers] : groups)
            found.push_back({key.first, key.second, std::move(numbers)});
        return found;
    }

    tl::expected<std::vector<ui::NumberedRecord>, QString>
    read(const std::vector<qint64> &numbers) override
    {
        ++m_state->reads;
        std::vector<ui::NumberedRecord> records;
        for (const qint64 number : numbers) {
            if (number >= m_state->first && number <= m_state->last)
                records.emplace_back(number, MadeUpLedger::record(number));
        }
        return records;
    }

private:
    static std::string keyOf(ui::LedgerOrder order, qint64 number)
    {
        if (order == ui::LedgerOrder::Who)
            return agentOf(number).toStdString();
        if (order == ui::LedgerOrder::What)
            return wordOf(number).toStdString();
        return {};
    }

    std::shared_ptr<MadeUpLedger::State> m_state;
};

} // namespace

MadeUpLedger::MadeUpLedger(qint64 records)
    : m_state(std::make_shared<State>())
{
    m_state->last = records;
}

std::unique_ptr<ui::LedgerSource> MadeUpLedger::source() const
{
    return std::make_unique<Source>(m_state);
}

ledger::Record MadeUpLedger::record(qint64 number)
{
    ledger::Record record{Scene::start + base::Milliseconds(number), {}, {}, {}, {}};
    if (isWarning(number)) {
        record.body = ledger::Warning{"odd", wordOf(number).toStdString()};
        return record;
    }
    ledger::TurnEnded turn;
    turn.end = "completed";
    turn.inputTokens = static_cast<std::uint64_t>(number);
    record.turn = base::TurnId(static_cast<std::uint64_t>(number));
    record.session = "s";
    record.agent = agentOf(number).toStdString();
    record.body = std::move(turn);
    return record;
}

} // namespace headway::test
