// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/feedwriter.h"

#include "proxy/core/json/quote.h"
#include "proxy/core/json/utf8.h"
#include "proxy/core/ledger/text.h"
#include "proxy/core/settings/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headway::live {

namespace {

// A byte that is no UTF-8 becomes U+FFFD: one broken word must not cost the reader the frame.
std::string mended(std::string_view text, std::size_t firstWrong)
{
    std::string result;
    std::optional<std::size_t> wrong = firstWrong;
    while (wrong) {
        result += text.substr(0, *wrong);
        result += "\xEF\xBF\xBD";
        text.remove_prefix(*wrong + 1);
        wrong = json::firstInvalidByte(text);
    }
    return result += text;
}

bool isSecret(std::string_view key)
{
    const auto found = settings::find(key);
    return found && settings::row(*found).kind == settings::Kind::Secret;
}

} // namespace

std::string_view name(Phase phase)
{
    switch (phase) {
    case Phase::Gate:
        return "gate";
    case Phase::Queued:
        return "queued";
    case Phase::Backoff:
        return "backoff";
    case Phase::Dialling:
        return "dialling";
    case Phase::FirstByte:
        return "first_byte";
    case Phase::Streaming:
        return "streaming";
    }
    return {};
}

std::string_view name(SignInState state)
{
    switch (state) {
    case SignInState::NotAsked:
        return "not_asked";
    case SignInState::Looking:
        return "looking";
    case SignInState::SignedIn:
        return "signed_in";
    case SignInState::Unrenewed:
        return "unrenewed";
    case SignInState::Lacking:
        return "lacking";
    }
    return {};
}

void FeedWriter::key(std::string_view name)
{
    if (!m_isFirst)
        m_out += ',';
    m_isFirst = false;
    write(name);
    m_out += ':';
}

void FeedWriter::write(bool value)
{
    m_out += value ? "true" : "false";
}

void FeedWriter::write(int value)
{
    write(std::int64_t{value});
}

void FeedWriter::write(std::int64_t value)
{
    ledger::appendNumber(m_out, value);
}

void FeedWriter::write(std::uint32_t value)
{
    write(std::int64_t{value});
}

void FeedWriter::write(std::uint64_t value)
{
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    write(static_cast<std::int64_t>(std::min(value, most)));
}

void FeedWriter::write(double value)
{
    ledger::appendNumber(m_out, std::isfinite(value) ? value : 0.0);
}

void FeedWriter::write(std::string_view text)
{
    if (const auto wrong = json::firstInvalidByte(text))
        json::appendQuoted(m_out, mended(text, *wrong));
    else
        json::appendQuoted(m_out, text);
}

void FeedWriter::write(base::WallTime time)
{
    m_out += '"';
    ledger::appendTime(m_out, time);
    m_out += '"';
}

void FeedWriter::write(base::Milliseconds duration)
{
    write(std::int64_t{duration.count()});
}

void FeedWriter::write(base::Nanoseconds duration)
{
    write(std::int64_t{duration.count()});
}

void FeedWriter::write(base::TurnId turn)
{
    m_out += '"';
    ledger::appendTurn(m_out, turn);
    m_out += '"';
}

void FeedWriter::write(base::ConnectionId connection)
{
    write(connection.value());
}

void FeedWriter::write(const std::map<std::string, SettingValue> &settings)
{
    FeedWriter object(m_out, m_zeros);
    for (const auto &[key, value] : settings) {
        if (isSecret(key))
            continue;
        object.key(key);
        object.write(value);
    }
    object.end();
}

} // namespace headway::live
