// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <string>
#include <string_view>
#include <vector>

namespace testsupport {

using Rows = std::vector<std::vector<std::string>>;

// RFC 4180 section 2, written from its grammar; fails the test on anything the grammar refuses.
class CsvParser
{
public:
    explicit CsvParser(std::string text)
        : m_text(std::move(text))
    {
    }

    Rows rows()
    {
        Rows rows;
        while (m_at < m_text.size())
            rows.push_back(record());
        return rows;
    }

private:
    std::vector<std::string> record()
    {
        std::vector<std::string> cells{field()};
        while (take(','))
            cells.push_back(field());
        if (!take('\r') || !take('\n'))
            qFatal("a line does not end in CRLF");
        return cells;
    }

    std::string field() { return take('"') ? escaped() : plain(); }

    std::string escaped()
    {
        std::string cell;
        for (;;) {
            if (m_at == m_text.size())
                qFatal("a quote is not closed");
            if (take('"')) {
                if (!take('"'))
                    return cell;
                cell += '"';
            } else {
                cell += m_text[m_at++];
            }
        }
    }

    std::string plain()
    {
        std::string cell;
        while (m_at < m_text.size()
               && std::string_view(",\r\n\"").find(m_text[m_at]) == std::string_view::npos)
            cell += m_text[m_at++];
        return cell;
    }

    bool take(char c)
    {
        if (m_at == m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    std::string m_text;
    std::size_t m_at = 0;
};

} // namespace testsupport
