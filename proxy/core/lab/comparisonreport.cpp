// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/quote.h"
#include "proxy/core/lab/comparison.h"
#include "proxy/core/lab/numbers.h"
#include "proxy/core/lab/resultfields.h"
#include "proxy/core/pacing/policynames.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headway::lab {

namespace {

// spec/pacing.md section 7: costs are compared with this much added.
constexpr double addedToCost = 0.5;

void appendResult(std::string &out, std::string_view title, const RunResult &result)
{
    json::appendQuoted(out, title);
    out += ":{";
    for (const ResultField &field : resultFields) {
        if (&field != resultFields.data())
            out += ',';
        json::appendQuoted(out, field.name);
        out += ':';
        appendNumber(out, result.*field.member, field.decimals);
    }
    out += '}';
}

using Row = std::pair<std::string_view, const RunResult *>;

std::vector<Row> rowsOf(const Comparison &comparison)
{
    std::vector<Row> rows;
    for (const auto &[policy, result] : comparison.policies)
        rows.emplace_back(name(policy), &result);
    rows.emplace_back("oracle", &comparison.oracle);
    return rows;
}

// To the right of the column, as numbers are read.
void appendCell(std::string &out, std::string_view text, std::size_t width)
{
    out.append(width > text.size() ? width - text.size() : 0, ' ');
    out += text;
}

// What every scenario of a table has, so that means are of the same scenarios.
std::vector<std::string_view> columnsOf(std::span<const Comparison> comparisons)
{
    std::vector<std::string_view> columns;
    if (comparisons.empty())
        return columns;
    for (const Row &row : rowsOf(comparisons.front()))
        columns.push_back(row.first);
    return columns;
}

struct LogMean
{
    double logs = 0;
    void add(const RunResult &result) { logs += std::log(result.cost + addedToCost); }
    [[nodiscard]] double over(std::size_t count) const
    {
        return count > 0 ? std::exp(logs / static_cast<double>(count)) : 0;
    }
};

} // namespace

std::string comparisonJson(const Comparison &comparison)
{
    std::string out = "{\"scenario\":";
    json::appendQuoted(out, comparison.scenario);
    out += ",\"seeds\":" + std::to_string(comparison.seeds) + ",\"policies\":{";
    for (const auto &[policy, result] : comparison.policies) {
        if (out.back() != '{')
            out += ',';
        appendResult(out, name(policy), result);
    }
    out += "},";
    appendResult(out, "oracle", comparison.oracle);
    out += "}\n";
    return out;
}

std::string comparisonTable(const Comparison &comparison)
{
    constexpr std::size_t firstWidth = 22;
    constexpr std::size_t width = 11;
    std::string out = comparison.scenario + ", " + std::to_string(comparison.seeds)
        + (comparison.seeds == 1 ? " seed\n" : " seeds\n");
    const std::vector<Row> rows = rowsOf(comparison);
    out.append(firstWidth, ' ');
    for (const Row &row : rows)
        appendCell(out, row.first, width);
    out += '\n';
    for (const ResultField &field : resultFields) {
        out += field.name;
        out.append(firstWidth - std::min(firstWidth, field.name.size()), ' ');
        for (const Row &row : rows)
            appendCell(out, fixedNumber(row.second->*field.member, std::min(field.decimals, 2)),
                       width);
        out += '\n';
    }
    return out;
}

std::string comparisonMarkdown(std::span<const Comparison> comparisons)
{
    const std::vector<std::string_view> columns = columnsOf(comparisons);
    std::string out = "| cost + 0.5 |";
    std::string rule = "|---|";
    for (const std::string_view column : columns) {
        out += ' ' + std::string(column) + " |";
        rule += "--:|";
    }
    out += '\n' + rule + '\n';
    std::vector<LogMean> means(columns.size());
    for (const Comparison &comparison : comparisons) {
        out += "| " + comparison.scenario + " |";
        const std::vector<Row> rows = rowsOf(comparison);
        for (std::size_t i = 0; i < std::min(rows.size(), means.size()); ++i) {
            means[i].add(*rows[i].second);
            out += ' ' + fixedNumber(rows[i].second->cost + addedToCost, 2) + " |";
        }
        out += '\n';
    }
    if (means.empty())
        return out;
    std::string ratios = "| ratio to the oracle |";
    out += "| geometric mean |";
    for (const LogMean &mean : means) {
        const double own = mean.over(comparisons.size());
        out += ' ' + fixedNumber(own, 2) + " |";
        ratios += ' ' + fixedNumber(own / means.back().over(comparisons.size()), 2) + " |";
    }
    return out + '\n' + ratios + '\n';
}

} // namespace headway::lab
