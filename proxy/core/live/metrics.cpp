// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/metrics.h"

#include "proxy/core/ledger/text.h"

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace headway::live {

namespace {

// One family after the other: HELP, TYPE, then its samples.
class Page final
{
public:
    void family(std::string_view name, std::string_view type, std::string_view help)
    {
        m_name = name;
        append({"# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n"});
    }
    void sample(double value, std::string_view labels = {}, std::string_view suffix = {})
    {
        append({m_name, suffix});
        if (!labels.empty())
            append({"{", labels, "}"});
        m_text += ' ';
        number(value);
        m_text += '\n';
    }
    void single(std::string_view name, std::string_view type, std::string_view help, double value)
    {
        family(name, type, help);
        sample(value);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void number(double value)
    {
        if (std::isfinite(value))
            ledger::appendNumber(m_text, value);
        else
            m_text += "NaN";
    }
    void append(std::initializer_list<std::string_view> parts)
    {
        for (const std::string_view part : parts)
            m_text += part;
    }

    std::string m_text;
    std::string_view m_name;
};

double real(std::uint64_t count)
{
    return static_cast<double>(count);
}

void addTurns(Page &page, const Metrics &metrics)
{
    const Totals &totals = metrics.totals;
    page.single("headway_turns_started_total", "counter", "Turns that came in.",
                real(totals.turnsStarted));
    page.family("headway_turns_total", "counter", "Turns that ended, by how they ended.");
    page.sample(real(totals.turnsCompleted), R"(end="completed")");
    page.sample(real(totals.turnsFailed), R"(end="failed")");
    page.sample(real(totals.turnsRefused), R"(end="refused")");
    page.sample(real(totals.clientGone), R"(end="client_gone")");
    page.single("headway_turns_continued_total", "counter",
                "Turns that went on from a conversation held upstream.", real(totals.continued));
    page.single("headway_turns_in_flight", "gauge", "Turns that have not ended.",
                real(metrics.turnsInFlight));
    page.single("headway_turns_waiting", "gauge", "Turns that wait for their admission.",
                real(metrics.waiting));
    page.single("headway_turns_gated", "gauge",
                "Turns that wait for the token budget or a cool-down.", real(metrics.gated));
    page.single("headway_input_tokens_total", "counter", "Input tokens of turns that ended.",
                real(totals.inputTokens));
    page.single("headway_cached_input_tokens_total", "counter",
                "Those of them that came out of the provider's cache.", real(totals.cachedTokens));
}

void addConnections(Page &page, const Metrics &metrics)
{
    page.single("headway_connections_opened_total", "counter", "Upstream connections opened.",
                real(metrics.totals.opened));
    page.single("headway_connections_rejected_total", "counter",
                "Upstream connections that the provider rejected.",
                real(metrics.totals.rejections));
    page.single("headway_connections", "gauge", "Upstream connections that are open or dialled.",
                real(metrics.connections));
    page.single("headway_heads", "gauge", "Conversations held upstream.", real(metrics.heads));
    page.single("headway_admissions_refused_total", "counter",
                "Attempts for which the wait would have been too long.",
                real(metrics.admissionsRefused));
    page.single("headway_bucket_level", "gauge",
                "Openings that the token bucket would let through at once; negative: debt.",
                metrics.bucketLevel);
    page.single("headway_estimate_openings_per_minute", "gauge",
                "Openings a minute that the account is thought to allow; 0: not known.",
                metrics.estimate.perMinute);
    page.single("headway_estimate_confidence_ratio", "gauge", "How sure that estimate is, 0 to 1.",
                metrics.estimate.confidence);
}

void addWaits(Page &page, const WaitHistogram &waits)
{
    page.family("headway_admission_wait_seconds", "histogram",
                "Waits of the attempts that were admitted or refused.");
    std::uint64_t cumulative = 0;
    for (std::size_t i = 0; i < WaitHistogram::bounds.size(); ++i) {
        cumulative += waits.counts[i];
        std::string label = "le=\"";
        ledger::appendNumber(label, WaitHistogram::bounds[i]);
        page.sample(real(cumulative), label + '"', "_bucket");
    }
    page.sample(real(waits.total), R"(le="+Inf")", "_bucket");
    page.sample(waits.sumS, {}, "_sum");
    page.sample(real(waits.total), {}, "_count");
}

} // namespace

std::string metricsText(const Metrics &metrics)
{
    Page page;
    page.family("headway_build_info", "gauge", "Always 1; the version is in the label.");
    page.sample(1, "version=\"" + metrics.version + '"');
    addTurns(page, metrics);
    addConnections(page, metrics);
    addWaits(page, metrics.waits);
    page.single("headway_ledger_records_total", "counter", "Records made for the ledger.",
                real(metrics.totals.records));
    page.single("headway_ledger_ok", "gauge", "1 while the ledger's file can be written, else 0.",
                metrics.isLedgerOk ? 1 : 0);
    return page.take();
}

} // namespace headway::live
