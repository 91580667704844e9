// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVariantList>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headway::app {

// Rows of any columns as text: `table` for a person, `csv` and `jsonl` by the rules of the ledger's
// exports (formulas guarded, plain numbers, null). BLOBs are hex digits; a table shows nothing as
// "–" and control characters as "·", so that no text can act on the terminal.
class RowPrinter final
{
public:
    enum class Format { Table, Csv, JsonLines };
    [[nodiscard]] static std::optional<Format> formatNamed(const QString &name);

    // False: the output takes no more.
    using Sink = std::function<bool(const std::string &text)>;
    RowPrinter(Format format, Sink sink);

    // A name that occurs again gets a number, since a JSON object has each key once.
    [[nodiscard]] bool columns(const QStringList &names);
    [[nodiscard]] bool row(const QVariantList &cells);
    [[nodiscard]] bool finish();

private:
    using Texts = std::vector<QString>;

    void appendCsv(const QVariantList &cells);
    void appendJson(const QVariantList &cells);
    void appendTableRow(const Texts &texts);
    void layOut();
    [[nodiscard]] bool hand();

    Format m_format;
    Sink m_sink;
    QStringList m_names;
    std::string m_text;
    // Of a table: the first rows wait until the widths are known.
    std::vector<Texts> m_first;
    std::vector<qsizetype> m_widths;
};

} // namespace headway::app
