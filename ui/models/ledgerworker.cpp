// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ledgerworker.h"

#include <algorithm>
#include <utility>

namespace headway::ui {

LedgerWorker::LedgerWorker(std::unique_ptr<LedgerSource> source,
                           std::shared_ptr<const std::atomic<quint64>> newest, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_newest(std::move(newest))
{
}

void LedgerWorker::ask(quint64 number, const LedgerQuestion &question)
{
    m_number = number;
    if (isOvertaken())
        return;
    m_question = question;
    m_groups.clear();
    m_lookedAt = 0;
    m_extent = {};
    m_isFirst = true;
    const auto extent = m_source->extent();
    if (!extent) {
        tell({.trouble = extent.error()});
        return;
    }
    m_extent = *extent;
    if (question.isEverything() || m_extent.size() == 0) {
        m_lookedAt = m_extent.size();
        tell({.isComplete = true});
        return;
    }
    if (!m_isWorking)
        goOn();
}

// Through the event loop: what was asked meanwhile comes first.
void LedgerWorker::goOn()
{
    m_isWorking = true;
    QMetaObject::invokeMethod(this, &LedgerWorker::step, Qt::QueuedConnection);
}

void LedgerWorker::step()
{
    m_isWorking = false;
    if (isOvertaken() || m_lookedAt >= m_extent.size())
        return;
    const qint64 steps = std::min(recordsAStep, m_extent.size() - m_lookedAt);
    const bool isBackwards = m_question.isDescending && m_question.order == LedgerOrder::Made;
    const qint64 from
        = isBackwards ? m_extent.last - m_lookedAt - steps + 1 : m_extent.first + m_lookedAt;
    auto groups = m_source->search(m_question, from, from + steps - 1);
    if (isOvertaken())
        return;
    if (!groups) {
        tell({.trouble = groups.error()});
        return;
    }
    m_lookedAt += steps;
    LedgerFinding finding;
    finding.isComplete = m_lookedAt == m_extent.size();
    if (m_question.order == LedgerOrder::Made) {
        finding.numbers = inOrder(*std::move(groups));
    } else {
        gather(*groups);
        if (finding.isComplete)
            finding.numbers = sorted();
    }
    tell(std::move(finding));
    if (m_lookedAt < m_extent.size())
        goOn();
}

std::vector<qint64> LedgerWorker::inOrder(std::vector<LedgerGroup> groups) const
{
    std::vector<qint64> numbers;
    for (const LedgerGroup &group : groups)
        numbers.insert(numbers.end(), group.numbers.begin(), group.numbers.end());
    if (m_question.isDescending)
        std::ranges::sort(numbers, std::ranges::greater());
    else
        std::ranges::sort(numbers);
    return numbers;
}

// Kinds stand together where what is sorted by is of the kind.
void LedgerWorker::gather(const std::vector<LedgerGroup> &groups)
{
    const bool isOfKind
        = m_question.order == LedgerOrder::Kind || m_question.order == LedgerOrder::What;
    for (const LedgerGroup &group : groups) {
        auto &numbers = m_groups[{isOfKind ? group.kind : 0, group.key}];
        numbers.insert(numbers.end(), group.numbers.begin(), group.numbers.end());
    }
}

std::vector<qint64> LedgerWorker::sorted()
{
    std::vector<qint64> all;
    all.reserve(static_cast<std::size_t>(m_lookedAt));
    for (auto &[key, numbers] : m_groups) {
        std::ranges::sort(numbers);
        all.insert(all.end(), numbers.begin(), numbers.end());
    }
    m_groups.clear();
    if (m_question.isDescending)
        std::ranges::reverse(all);
    return all;
}

void LedgerWorker::lookForMore()
{
    if (isOvertaken() || m_isWorking)
        return;
    if (m_isTroubled) {
        ask(m_number, m_question);
        return;
    }
    auto extent = m_source->extent();
    if (!extent) {
        tell({.trouble = extent.error()});
        return;
    }
    if (*extent == m_extent)
        return;
    if (extent->last < m_extent.last) { // another file
        ask(m_number, m_question);
        return;
    }
    const qint64 seen = m_extent.last;
    LedgerFinding finding;
    finding.isNewer = true;
    finding.isComplete = true;
    if (!m_question.isEverything() && m_question.order == LedgerOrder::Made) {
        const qint64 from = std::max(seen + 1, extent->first);
        extent->last = std::min(extent->last, from + recordsAStep - 1); // the rest next time
        auto groups = m_source->search(m_question, from, extent->last);
        if (!groups)
            return; // asked again soon
        finding.numbers = inOrder(*std::move(groups));
    }
    m_extent = *extent;
    m_lookedAt = m_extent.size();
    tell(std::move(finding));
}

void LedgerWorker::read(const std::vector<qint64> &numbers)
{
    LedgerPage page;
    page.asked = numbers;
    if (auto records = m_source->read(numbers))
        page.records = *std::move(records);
    else
        page.trouble = records.error();
    Q_EMIT pageRead(std::make_shared<const LedgerPage>(std::move(page)));
}

void LedgerWorker::tell(LedgerFinding finding)
{
    m_isTroubled = !finding.trouble.isEmpty();
    finding.question = m_number;
    finding.isFirst = std::exchange(m_isFirst, false);
    finding.extent = m_extent;
    finding.lookedAt = m_lookedAt;
    Q_EMIT found(std::make_shared<const LedgerFinding>(std::move(finding)));
}

} // namespace headway::ui
