// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recorddetails.h"

#include "proxy/core/base/overloaded.h"
#include "proxy/core/ledger/columns.h"
#include "proxy/core/ledger/text.h"
#include "ui/format/figures.h"
#include "ui/models/recordwords.h"

namespace headway::ui {

namespace {

QString cellText(const ledger::Column &column, const ledger::Value &value)
{
    const bool isDuration = column.name.ends_with("_ms");
    return std::visit(
        base::Overloaded{
            [](std::monostate) { return QString(); },
            [](base::WallTime at) { return text(ledger::timeText(at)); },
            [](base::TurnId turn) { return requestId(turn.value()); },
            [](std::string_view words) { return text(words); },
            [](std::int64_t number) { return count(static_cast<std::uint64_t>(number)); },
            [isDuration](double number) {
                return isDuration ? duration(number) : QString::number(number);
            },
            [](bool yes) { return yes ? QStringLiteral("yes") : QStringLiteral("no"); },
        },
        value);
}

} // namespace

QString recordDetails(const ledger::Record &record)
{
    QString html
        = QStringLiteral("<p><b>%1</b><br>%2</p><table cellspacing=\"0\" cellpadding=\"2\">")
              .arg(recordKind(record).toHtmlEscaped(), recordWords(record).text.toHtmlEscaped());
    for (const ledger::Column &column : ledger::kindOf(record).columns) {
        const QString cell = cellText(column, column.get(record));
        if (cell.isEmpty())
            continue;
        QString name = text(column.name);
        name.replace(u'_', u' ');
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(name.toHtmlEscaped(), cell.toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

} // namespace headway::ui
