// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/ledgersource.h"

#include <QString>

namespace headway::app {

// The ledger beside the running program, for the window's table.
class LedgerFile final : public ui::LedgerSource
{
public:
    explicit LedgerFile(QString path);

    [[nodiscard]] tl::expected<ui::LedgerExtent, QString> extent() override;
    [[nodiscard]] tl::expected<std::vector<ui::LedgerGroup>, QString>
    search(const ui::LedgerQuestion &question, qint64 from, qint64 to) override;
    [[nodiscard]] tl::expected<std::vector<ui::NumberedRecord>, QString>
    read(const std::vector<qint64> &numbers) override;

private:
    QString m_path;
};

} // namespace headway::app
