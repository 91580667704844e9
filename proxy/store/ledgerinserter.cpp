// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerinserter.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/core/ledger/text.h"
#include "proxy/store/ledgerschema.h"

#include <QSqlError>
#include <QUtf8StringView>

#include <utility>

namespace headway::store {

bool LedgerInserter::Parameter::assign(const ledger::Value &value)
{
    if (const auto *text = std::get_if<std::string_view>(&value)) {
        if (std::holds_alternative<std::string_view>(m_value) && *text == m_text)
            return false;
        setText(*text);
        m_value = std::string_view();
        return true;
    }
    if (value == m_value)
        return false;
    m_value = value;
    m_text.clear();
    if (const auto *time = std::get_if<base::WallTime>(&value))
        ledger::appendTime(m_text, *time);
    else if (const auto *turn = std::get_if<base::TurnId>(&value))
        ledger::appendTurn(m_text, *turn);
    return true;
}

void LedgerInserter::Parameter::setText(std::string_view text)
{
    const auto size = static_cast<qsizetype>(text.size());
    if (QUtf8StringView(text.data(), size).isValidUtf8())
        m_text = text;
    else
        m_text = QString::fromUtf8(text.data(), size).toStdString();
}

QVariant LedgerInserter::Parameter::bound() const
{
    const auto text = [this] {
        return QVariant(
            QByteArray::fromRawData(m_text.data(), static_cast<qsizetype>(m_text.size())));
    };
    return std::visit(base::Overloaded{
                          [](std::monostate) { return QVariant(); },
                          [&text](base::WallTime) { return text(); },
                          [&text](base::TurnId) { return text(); },
                          [&text](std::string_view) { return text(); },
                          [](std::int64_t number) { return QVariant(qlonglong{number}); },
                          [](double number) { return QVariant(number); },
                          [](bool flag) { return QVariant(flag ? 1 : 0); },
                      },
                      m_value);
}

LedgerInserter::LedgerInserter(QString path)
    : m_path(std::move(path))
{
}

tl::expected<LedgerInserter, StoreError> LedgerInserter::prepare(const SqlConnection &connection)
{
    LedgerInserter inserter(connection.path());
    for (const ledger::Kind &kind : ledger::kinds()) {
        Statement statement{.parameters = std::vector<Parameter>(kind.columns.size()),
                            .query = connection.query()};
        if (!statement.query.prepare(insertStatement(kind)))
            return tl::unexpected(storeError(statement.query.lastError(), connection.path()));
        for (int i = 0; const Parameter &parameter : statement.parameters)
            statement.query.bindValue(++i, parameter.bound());
        inserter.m_statements.push_back(std::move(statement));
    }
    return inserter;
}

tl::expected<void, StoreError> LedgerInserter::insert(qint64 seq, const ledger::Record &record)
{
    Statement &statement = m_statements[record.body.index()];
    statement.query.bindValue(0, seq);
    int place = 0;
    for (const ledger::Column &column : ledger::kindOf(record).columns) {
        Parameter &parameter = statement.parameters[static_cast<std::size_t>(place++)];
        if (parameter.assign(column.get(record)))
            statement.query.bindValue(place, parameter.bound());
    }
    if (!statement.query.exec())
        return tl::unexpected(storeError(statement.query.lastError(), m_path));
    return {};
}

} // namespace headway::store
