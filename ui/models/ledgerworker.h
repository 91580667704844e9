// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/ledgersource.h"

#include <QObject>

#include <atomic>
#include <map>
#include <memory>

namespace headway::ui {

// What a step of a search brought.
struct LedgerFinding
{
    quint64 question = 0; // which one it answers
    LedgerExtent extent{}; // of the ledger, as it is now
    std::vector<qint64> numbers{}; // in the order asked for, to go behind the ones before
    bool isFirst = false; // of this question, or of the question anew: forget the ones before
    bool isNewer = false; // made after the search: they go where the newest are
    bool isComplete = false; // everything was looked at
    qint64 lookedAt = 0; // records so far
    QString trouble{}; // why the ledger could not be read
};
using LedgerFindingPointer = std::shared_ptr<const LedgerFinding>;

struct LedgerPage
{
    std::vector<NumberedRecord> records{};
    std::vector<qint64> asked{};
    QString trouble{};
};
using LedgerPagePointer = std::shared_ptr<const LedgerPage>;

// Looks through a ledger on whatever thread it lives on, a step at a time, so that pages are read
// in between and an overtaken question is dropped at the next step.
class LedgerWorker final : public QObject
{
    Q_OBJECT

public:
    // `newest`: the number of the newest question, set by who asks.
    LedgerWorker(std::unique_ptr<LedgerSource> source,
                 std::shared_ptr<const std::atomic<quint64>> newest, QObject *parent = nullptr);

    static constexpr qint64 recordsAStep = 50'000;

public Q_SLOTS:
    void ask(quint64 number, const headway::ui::LedgerQuestion &question);
    void lookForMore(); // what was made since
    void read(const std::vector<qint64> &numbers);

Q_SIGNALS:
    void found(const headway::ui::LedgerFindingPointer &finding);
    void pageRead(const headway::ui::LedgerPagePointer &page);

private:
    void step();
    void goOn();
    void gather(const std::vector<LedgerGroup> &groups);
    [[nodiscard]] std::vector<qint64> inOrder(std::vector<LedgerGroup> groups) const;
    [[nodiscard]] std::vector<qint64> sorted();
    void tell(LedgerFinding finding);
    [[nodiscard]] bool isOvertaken() const { return m_number != *m_newest; }

    std::unique_ptr<LedgerSource> m_source;
    std::shared_ptr<const std::atomic<quint64>> m_newest;
    quint64 m_number = 0;
    LedgerQuestion m_question;
    LedgerExtent m_extent; // what the search goes over
    qint64 m_lookedAt = 0;
    bool m_isWorking = false; // a step is on its way
    bool m_isFirst = false; // nothing was told yet
    bool m_isTroubled = false;
    // Another order than that of their making: by sort key, until all are known.
    std::map<std::pair<std::size_t, std::string>, std::vector<qint64>> m_groups;
};

} // namespace headway::ui
