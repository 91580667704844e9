// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/rowprinter.h"

#include "proxy/core/json/quote.h"
#include "proxy/core/ledger/csv.h"
#include "proxy/core/ledger/text.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace headway::app {

namespace {

constexpr std::size_t rowsToMeasure = 1'000;
constexpr qsizetype widestColumn = 60; // what is longer runs over and moves the rest of its row
constexpr std::size_t worthACall = 64 * 1024;

// A cell as the exports know it; `text` holds what it points into.
ledger::Value valueOf(const QVariant &cell, std::string &text)
{
    if (cell.isNull())
        return {};
    switch (cell.typeId()) {
    case QMetaType::LongLong:
        return std::int64_t{cell.toLongLong()};
    case QMetaType::Double:
        if (!std::isfinite(cell.toDouble()))
            return {};
        return cell.toDouble();
    case QMetaType::QByteArray:
        text = cell.toByteArray().toHex().toStdString();
        return std::string_view(text);
    default:
        text = cell.toString().toStdString();
        return std::string_view(text);
    }
}

QString harmless(QString text)
{
    for (QChar &c : text) {
        if (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format)
            c = QChar(u'·');
    }
    return text;
}

QString shown(const QVariant &cell)
{
    std::string text;
    const ledger::Value value = valueOf(cell, text);
    if (std::holds_alternative<std::monostate>(value))
        return QStringLiteral("–");
    if (const auto *number = std::get_if<std::int64_t>(&value))
        return QString::number(*number);
    if (const auto *number = std::get_if<double>(&value))
        return QString::number(*number, 'g', QLocale::FloatingPointShortest);
    return harmless(QString::fromStdString(text));
}

} // namespace

std::optional<RowPrinter::Format> RowPrinter::formatNamed(const QString &name)
{
    if (name == QLatin1String("table"))
        return Format::Table;
    if (name == QLatin1String("csv"))
        return Format::Csv;
    if (name == QLatin1String("jsonl"))
        return Format::JsonLines;
    return std::nullopt;
}

RowPrinter::RowPrinter(Format format, Sink sink)
    : m_format(format)
    , m_sink(std::move(sink))
{
}

bool RowPrinter::columns(const QStringList &names)
{
    for (const QString &name : names) {
        QString unique = name;
        for (int n = 2; m_names.contains(unique); ++n)
            unique = QStringLiteral("%1_%2").arg(name).arg(n);
        m_names += unique;
    }
    const QVariantList header(m_names.begin(), m_names.end());
    if (m_format == Format::Csv)
        appendCsv(header);
    else if (m_format == Format::Table)
        return row(header);
    return true;
}

bool RowPrinter::row(const QVariantList &cells)
{
    if (m_format == Format::Csv) {
        appendCsv(cells);
    } else if (m_format == Format::JsonLines) {
        appendJson(cells);
    } else {
        Texts texts;
        std::ranges::transform(cells, std::back_inserter(texts), shown);
        if (!m_widths.empty()) {
            appendTableRow(texts);
        } else {
            m_first.push_back(std::move(texts));
            if (m_first.size() > rowsToMeasure)
                layOut();
        }
    }
    return m_text.size() < worthACall || hand();
}

bool RowPrinter::finish()
{
    if (!m_first.empty())
        layOut();
    return m_text.empty() || hand();
}

void RowPrinter::appendCsv(const QVariantList &cells)
{
    std::vector<std::string> texts(static_cast<std::size_t>(cells.size()));
    std::vector<ledger::Value> values;
    for (const QVariant &cell : cells)
        values.push_back(valueOf(cell, texts[values.size()]));
    ledger::appendCsvRow(m_text, values);
}

void RowPrinter::appendJson(const QVariantList &cells)
{
    m_text += '{';
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0)
            m_text += ',';
        json::appendQuoted(m_text, m_names.at(i).toStdString());
        m_text += ':';
        std::string text;
        const ledger::Value value = valueOf(cells.at(i), text);
        if (const auto *number = std::get_if<std::int64_t>(&value))
            ledger::appendNumber(m_text, *number);
        else if (const auto *real = std::get_if<double>(&value))
            ledger::appendNumber(m_text, *real);
        else if (std::holds_alternative<std::string_view>(value))
            json::appendQuoted(m_text, text);
        else
            m_text += "null";
    }
    m_text += "}\n";
}

void RowPrinter::appendTableRow(const Texts &texts)
{
    QString line;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool isLast = i + 1 == texts.size();
        line += isLast ? texts[i] : texts[i].leftJustified(m_widths[i] + 2);
    }
    m_text += line.toStdString() + '\n';
}

void RowPrinter::layOut()
{
    m_widths.assign(m_first.front().size(), 1);
    for (const Texts &texts : m_first) {
        for (std::size_t i = 0; i < texts.size(); ++i)
            m_widths[i] = std::max(m_widths[i], std::min(texts[i].size(), widestColumn));
    }
    const std::vector<Texts> rows = std::exchange(m_first, {});
    for (const Texts &texts : rows)
        appendTableRow(texts);
}

bool RowPrinter::hand()
{
    const bool taken = m_sink(m_text);
    m_text.clear();
    return taken;
}

} // namespace headway::app
