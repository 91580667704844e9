// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledgerfile.h"

#include "proxy/store/ledgersearch.h"

#include <utility>

namespace headway::app {

namespace {

store::LedgerKey keyOf(ui::LedgerOrder order)
{
    switch (order) {
    case ui::LedgerOrder::Turn:
        return store::LedgerKey::Turn;
    case ui::LedgerOrder::Who:
        return store::LedgerKey::Who;
    case ui::LedgerOrder::What:
        return store::LedgerKey::Word;
    case ui::LedgerOrder::Made:
    case ui::LedgerOrder::Kind: // groups are of one kind anyway
        break;
    }
    return store::LedgerKey::None;
}

} // namespace

LedgerFile::LedgerFile(QString path)
    : m_path(std::move(path))
{
}

tl::expected<ui::LedgerExtent, QString> LedgerFile::extent()
{
    const auto extent = store::ledgerExtent(m_path);
    if (!extent)
        return tl::unexpected(extent.error().text);
    return ui::LedgerExtent{extent->first, extent->last};
}

tl::expected<std::vector<ui::LedgerGroup>, QString>
LedgerFile::search(const ui::LedgerQuestion &question, qint64 from, qint64 to)
{
    auto found = store::searchLedger(m_path,
                                     {.from = from,
                                      .to = to,
                                      .kind = question.kind,
                                      .words = question.words,
                                      .key = keyOf(question.order)});
    if (!found)
        return tl::unexpected(found.error().text);
    std::vector<ui::LedgerGroup> groups;
    groups.reserve(found->size());
    for (store::LedgerGroup &group : *found)
        groups.push_back({group.kind, std::move(group.key), std::move(group.seqs)});
    return groups;
}

tl::expected<std::vector<ui::NumberedRecord>, QString>
LedgerFile::read(const std::vector<qint64> &numbers)
{
    auto records = store::readRecords(m_path, numbers);
    if (!records)
        return tl::unexpected(records.error().text);
    return *std::move(records);
}

} // namespace headway::app
