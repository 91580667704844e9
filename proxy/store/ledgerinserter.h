// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/columns.h"
#include "proxy/store/sqlconnection.h"

#include <QSqlQuery>
#include <QVariant>

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::store {

// Writes records into their tables, one prepared statement per kind. Invalid UTF-8 becomes U+FFFD.
class LedgerInserter final
{
public:
    [[nodiscard]] static tl::expected<LedgerInserter, StoreError>
    prepare(const SqlConnection &connection);

    tl::expected<void, StoreError> insert(qint64 seq, const ledger::Record &record);

private:
    // What a parameter is bound to. Qt's bindValue costs more than all SQLite does with the value,
    // and most cells repeat the one before (model, session, zeros): those are left bound.
    class Parameter
    {
    public:
        // False: it is bound to exactly this already.
        bool assign(const ledger::Value &value);
        // Points into this parameter's own text, which outlives the statement's use of it.
        [[nodiscard]] QVariant bound() const;

    private:
        void setText(std::string_view text);

        ledger::Value m_value{false};
        std::string m_text;
    };

    struct Statement
    {
        std::vector<Parameter> parameters; // one per column; never resized
        QSqlQuery query;
    };

    explicit LedgerInserter(QString path);

    QString m_path;
    std::vector<Statement> m_statements; // by place in ledger::kinds()
};

} // namespace headway::store
