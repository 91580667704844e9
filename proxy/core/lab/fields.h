// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/json/document.h"
#include "proxy/core/lab/laberror.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::lab {

// The first thing found wrong in a text; what is read after it does not matter.
class Problem final
{
public:
    // `firstLine`: number of the text's first line in its file.
    explicit Problem(std::string_view text, std::size_t firstLine = 1)
        : m_text(text)
        , m_firstLine(firstLine)
    {
    }

    void report(std::size_t offset, std::string key, std::string what);
    [[nodiscard]] const std::optional<LabError> &error() const { return m_error; }

private:
    std::string_view m_text;
    std::size_t m_firstLine;
    std::optional<LabError> m_error;
};

// A range of times, drawn from uniformly.
struct DurationRange
{
    base::Nanoseconds low{0};
    base::Nanoseconds high{0};

    friend bool operator==(const DurationRange &, const DurationRange &) = default;
};

struct NumberRange
{
    double low = 0;
    double high = 0;

    friend bool operator==(const NumberRange &, const NumberRange &) = default;
};

// One JSON object, read key by key. Every reader gives its fallback where the key is missing, and
// reports a wrong type or a value out of range with the key's path. finish() reports the first key
// that nobody asked for.
class Fields final
{
public:
    Fields(json::Value object, std::string path, Problem &problem);

    [[nodiscard]] bool has(std::string_view key);
    [[nodiscard]] json::Value any(std::string_view key);
    [[nodiscard]] json::Value array(std::string_view key); // missing where it is no array
    [[nodiscard]] std::string text(std::string_view key, std::string_view fallback);
    [[nodiscard]] bool flag(std::string_view key, bool fallback);
    [[nodiscard]] double number(std::string_view key, double fallback, double low, double high);
    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback,
                                       std::int64_t low, std::int64_t high);
    // Numbers of `unit`; null reads as nothing, as does a missing key.
    [[nodiscard]] std::optional<base::Nanoseconds> optionalTime(std::string_view key,
                                                                base::Nanoseconds unit);
    [[nodiscard]] base::Nanoseconds time(std::string_view key, base::Nanoseconds unit,
                                         base::Nanoseconds fallback);
    // Two numbers, the first not above the second.
    [[nodiscard]] NumberRange range(std::string_view key, NumberRange fallback, double high);
    [[nodiscard]] DurationRange times(std::string_view key, base::Nanoseconds unit,
                                      DurationRange fallback);

    void require(std::string_view key);
    void refuse(std::string_view key, std::string what);
    void finish();

    [[nodiscard]] std::string pathOf(std::string_view key) const;
    [[nodiscard]] Problem &problem() { return m_problem; }

private:
    [[nodiscard]] std::optional<double> numberOf(std::string_view key, json::Value value,
                                                 double low, double high);

    json::Value m_object;
    std::string m_path;
    Problem &m_problem;
    std::vector<std::string_view> m_known;
};

} // namespace headway::lab
