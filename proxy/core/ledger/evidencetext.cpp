// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/quote.h"
#include "proxy/core/ledger/evidence.h"
#include "proxy/core/ledger/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace headway::ledger {

namespace {

using pacing::CeilingEstimate;
using pacing::CeilingShape;

double milliseconds(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

std::string number(double value)
{
    std::string out;
    appendNumber(out, std::isfinite(value) ? value : 0);
    return out;
}

std::string rounded(double value)
{
    return number(std::round(value * 100) / 100);
}

// "2026-03-01T09:05Z"
std::string minuteText(base::WallTime minute)
{
    return timeText(minute).substr(0, 16) + "Z";
}

std::string minutesText(std::uint64_t count)
{
    return number(count) + (count == 1 ? " minute" : " minutes");
}

std::string statusesText(const EvidenceMinute &minute)
{
    std::string out;
    for (const auto &[status, count] : minute.statuses) {
        out += out.empty() ? " (" : ", ";
        out += (status == 0 ? std::string("no status") : number(status)) + ": " + number(count);
    }
    return out.empty() ? out : out + ")";
}

void appendMinutes(std::string &out, std::vector<EvidenceMinute> minutes, std::size_t rows)
{
    const std::size_t all = minutes.size();
    if (all > rows) {
        const auto weight = [](const EvidenceMinute &each) { return each.opened + each.rejected; };
        std::ranges::stable_sort(minutes, std::ranges::greater(), weight);
        minutes.resize(rows);
        std::ranges::sort(minutes, std::ranges::less(), &EvidenceMinute::begin);
    }
    for (const EvidenceMinute &minute : minutes) {
        out += "  " + minuteText(minute.begin) + "  " + number(minute.opened) + " opened, "
            + number(minute.rejected) + " rejected" + statusesText(minute) + "; "
            + rounded(minute.rate) + " a minute set\n";
    }
    if (all > rows)
        out += "  and " + minutesText(all - rows) + " that opened less\n";
}

std::string ceilingWords(const CeilingEstimate &ceiling)
{
    switch (ceiling.shape) {
    case CeilingShape::Window:
        return "about " + rounded(ceiling.perMinute) + " openings in any minute";
    case CeilingShape::Rate:
        return "about one opening every " + rounded(milliseconds(ceiling.spacing)) + " ms";
    case CeilingShape::Cap:
        return "about " + number(std::uint64_t{ceiling.socketCap}) + " connections open at a time";
    case CeilingShape::Unknown:
        break;
    }
    return "no limit seen yet";
}

void appendCeilings(std::string &out, const std::vector<CeilingEstimate> &ceilings)
{
    if (ceilings.empty()) {
        out += "Estimated ceiling: none learned\n";
        return;
    }
    for (const CeilingEstimate &ceiling : ceilings) {
        out += "Estimated ceiling: " + ceilingWords(ceiling) + ", confidence "
            + rounded(ceiling.confidence) + ", last evidence " + timeText(ceiling.measuredAt)
            + "\n";
    }
    out += "  learned from this account's own traffic; nobody stated it\n";
}

// Writes {"key":value,…} one member at a time.
class Object final
{
public:
    explicit Object(std::string &out)
        : m_out(out)
    {
        m_out += '{';
    }
    Object(const Object &) = delete;
    Object &operator=(const Object &) = delete;
    ~Object() { m_out += '}'; }

    std::string &key(std::string_view name)
    {
        if (m_more)
            m_out += ',';
        m_more = true;
        json::appendQuoted(m_out, name);
        m_out += ':';
        return m_out;
    }
    void number(std::string_view name, std::uint64_t value) { key(name) += std::to_string(value); }
    void number(std::string_view name, double value) { key(name) += ledger::number(value); }
    void time(std::string_view name, base::WallTime value)
    {
        json::appendQuoted(key(name), timeText(value));
    }

private:
    std::string &m_out;
    bool m_more = false;
};

void appendMinute(std::string &out, const EvidenceMinute &minute)
{
    Object object(out);
    object.time("minute", minute.begin);
    object.number("opened", minute.opened);
    object.number("rejected", minute.rejected);
    {
        Object statuses(object.key("statuses"));
        for (const auto &[status, count] : minute.statuses)
            statuses.number(number(status), count);
    }
    object.number("set_rate_per_min", minute.rate);
}

void appendCeiling(std::string &out, const CeilingEstimate &ceiling)
{
    Object object(out);
    json::appendQuoted(object.key("shape"), name(ceiling.shape));
    object.number("per_min", ceiling.perMinute);
    object.number("spacing_ms", milliseconds(ceiling.spacing));
    object.number("sockets", std::uint64_t{ceiling.socketCap});
    object.number("confidence", ceiling.confidence);
    object.time("measured_at", ceiling.measuredAt);
}

template <typename Each>
void appendList(std::string &out, const std::vector<Each> &list,
                void (*append)(std::string &, const Each &))
{
    out += '[';
    for (const Each &each : list) {
        if (&each != &list.front())
            out += ',';
        append(out, each);
    }
    out += ']';
}

} // namespace

std::string evidenceText(const Evidence &evidence, std::size_t rows)
{
    std::string out = "Openings per wall-clock minute, in the minutes that opened any\n";
    if (evidence.minutes == 0) {
        out += "  none was opened\n";
    } else {
        out += "  " + timeText(evidence.from) + " to " + timeText(evidence.to) + "\n  "
            + number(evidence.openings) + " openings in " + minutesText(evidence.minutes)
            + ": median " + number(evidence.median) + ", p90 " + number(evidence.p90) + ", p99 "
            + number(evidence.p99) + ", max " + number(evidence.most) + "\n";
    }
    out += "Set rate: " + rounded(evidence.rate) + " a minute";
    if (evidence.isRateAssumed)
        out += " now; no change of it is recorded, so every minute is held to it (--rate N: to "
               "another)";
    out += "\n";
    out += "Minutes above the set rate: " + number(std::uint64_t{evidence.above.size()}) + "\n";
    appendMinutes(out, evidence.above, rows);
    out += "Rejections: " + number(evidence.rejections);
    if (evidence.rejections > 0)
        out += ", in " + minutesText(evidence.rejecting.size());
    out += "\n";
    appendMinutes(out, evidence.rejecting, rows);
    appendCeilings(out, evidence.ceilings);
    return out;
}

std::string evidenceJson(const Evidence &evidence)
{
    std::string out;
    {
        Object object(out);
        if (evidence.minutes > 0 || evidence.rejections > 0) {
            object.time("from", evidence.from);
            object.time("to", evidence.to);
        }
        object.number("openings", evidence.openings);
        object.number("minutes_with_openings", evidence.minutes);
        {
            Object perMinute(object.key("openings_per_minute"));
            perMinute.number("median", evidence.median);
            perMinute.number("p90", evidence.p90);
            perMinute.number("p99", evidence.p99);
            perMinute.number("max", evidence.most);
        }
        object.number("set_rate_per_min", evidence.rate);
        appendList(object.key("minutes_above_set_rate"), evidence.above, appendMinute);
        object.number("rejections", evidence.rejections);
        appendList(object.key("minutes_with_rejections"), evidence.rejecting, appendMinute);
        appendList(object.key("estimated_ceilings"), evidence.ceilings, appendCeiling);
    }
    return out + "\n";
}

} // namespace headway::ledger
