// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/arrivals.h"

#include "proxy/core/base/fingerprint.h"
#include "proxy/core/json/document.h"
#include "proxy/core/lab/fields.h"
#include "proxy/core/lab/tuning.h"
#include "proxy/core/settings/terms.h"

#include <utility>

namespace headway::lab {

namespace {

constexpr base::Nanoseconds millisecond = base::Milliseconds{1};

class LineReader final
{
public:
    explicit LineReader(settings::Settings settings)
        : m_settings(std::move(settings))
    {
    }

    std::optional<LabError> read(std::string_view line, std::size_t number)
    {
        if (const auto fault = m_document.read(line))
            return LabError{number, {}, "is no JSON: " + std::string(fault->what)};
        Problem problem(line, number);
        Fields fields(m_document.root(), {}, problem);
        fields.require("t_ms");
        const base::Nanoseconds at = fields.time("t_ms", millisecond, {});
        if (at < m_last)
            fields.refuse("t_ms", "is earlier than the line before; sort by time");
        m_last = at;
        if (fields.has("set"))
            readChange(fields, at);
        else
            readArrival(fields, at);
        fields.finish();
        return problem.error();
    }

    Arrivals take() { return std::move(m_result); }

private:
    void readArrival(Fields &fields, base::Nanoseconds at)
    {
        Arrival arrival;
        arrival.at = at;
        arrival.session = hashedName(fields.text("session", {}));
        arrival.agent = hashedName(fields.text("agent", {}));
        arrival.cancelAfter = fields.optionalTime("cancel_ms", millisecond);
        m_result.arrivals.push_back(arrival);
    }

    void readChange(Fields &fields, base::Nanoseconds at)
    {
        // As in the window: a change in flight stands above what the call began with.
        readSettings(fields.any("set"), "set", settings::Source::Window, m_settings,
                     m_result.notices, fields.problem());
        m_result.changes.push_back({at, m_result.arrivals.size(), pacingSetup(m_settings)});
    }

    settings::Settings m_settings;
    json::Document m_document;
    base::Nanoseconds m_last{0};
    Arrivals m_result;
};

} // namespace

PacingSetup pacingSetup(const settings::Settings &settings)
{
    return {settings::pacerSettings(settings), settings::requestBudget(settings)};
}

std::uint64_t hashedName(std::string_view name)
{
    constexpr std::uint64_t seed = 0x6C6162;
    return name.empty() ? 0 : base::fingerprint(name, seed).low;
}

tl::expected<Arrivals, LabError> readArrivals(std::string_view text, settings::Settings settings)
{
    LineReader reader(std::move(settings));
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        if (auto error = reader.read(line, number))
            return tl::unexpected(*std::move(error));
    }
    return reader.take();
}

} // namespace headway::lab
