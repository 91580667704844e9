// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/replyhead.h"

#include "proxy/net/listener/fieldtext.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

namespace headway::net {
namespace {

void appendNumber(std::string &out, std::size_t number, int base = 10)
{
    std::array<char, 24> digits; // NOLINT: written before it is read
    const auto [end, error]
        = std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
    out.append(digits.data(), end);
}

// IMF-fixdate of RFC 9110 section 5.6.7, made once a second.
std::string_view dateLine()
{
    thread_local std::time_t made = -1;
    thread_local std::string line;
    const std::time_t now = std::time(nullptr);
    if (now != made) {
        constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        std::tm parts{};
        gmtime_r(&now, &parts);
        std::array<char, 64> text{};
        // Not strftime's names: those follow the locale.
        std::snprintf(text.data(), text.size(), "date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n",
                      days.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                      months.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                      parts.tm_hour, parts.tm_min, parts.tm_sec);
        line = text.data();
        made = now;
    }
    return line;
}

bool isOurs(std::string_view name)
{
    constexpr std::array<std::string_view, 4> ours{"content-length", "transfer-encoding",
                                                   "connection", "date"};
    return std::any_of(ours.begin(), ours.end(),
                       [name](std::string_view own) { return equalsIgnoringCase(own, name); });
}

bool breaksLine(char c)
{
    return c == '\r' || c == '\n' || c == '\0';
}

void appendField(std::string &out, std::string_view name, std::string_view value)
{
    const std::size_t start = out.size();
    out += name;
    out += ": ";
    out += value;
    std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), breaksLine, ' ');
    out += "\r\n";
}

} // namespace

std::string_view reasonPhrase(int status)
{
    struct Entry
    {
        int status;
        std::string_view phrase;
    };
    constexpr std::array entries{
        Entry{101, "Switching Protocols"},
        Entry{200, "OK"},
        Entry{204, "No Content"},
        Entry{304, "Not Modified"},
        Entry{400, "Bad Request"},
        Entry{401, "Unauthorized"},
        Entry{402, "Payment Required"},
        Entry{403, "Forbidden"},
        Entry{404, "Not Found"},
        Entry{405, "Method Not Allowed"},
        Entry{408, "Request Timeout"},
        Entry{409, "Conflict"},
        Entry{413, "Content Too Large"},
        Entry{414, "URI Too Long"},
        Entry{415, "Unsupported Media Type"},
        Entry{417, "Expectation Failed"},
        Entry{421, "Misdirected Request"},
        Entry{426, "Upgrade Required"},
        Entry{429, "Too Many Requests"},
        Entry{431, "Request Header Fields Too Large"},
        Entry{500, "Internal Server Error"},
        Entry{502, "Bad Gateway"},
        Entry{503, "Service Unavailable"},
        Entry{504, "Gateway Timeout"},
        Entry{505, "HTTP Version Not Supported"},
        Entry{529, "Overloaded"},
    };
    const auto *const found = std::find_if(entries.begin(), entries.end(),
                                           [status](const Entry &e) { return e.status == status; });
    return found == entries.end() ? std::string_view{"Status"} : found->phrase;
}

void appendReplyHead(std::string &out, const ReplyPlan &plan, const HeaderFields &headers)
{
    out += "HTTP/1.1 ";
    appendNumber(out, static_cast<std::size_t>(std::clamp(plan.status, 100, 999)));
    out += ' ';
    out += reasonPhrase(plan.status);
    out += "\r\n";
    out += dateLine();
    bool upgradeNamed = false;
    for (const auto &[name, value] : headers) {
        if (isOurs(name))
            continue;
        upgradeNamed = upgradeNamed || equalsIgnoringCase(name, "upgrade");
        appendField(out, name, value);
    }
    if (plan.framing == ReplyFraming::Length) {
        out += "content-length: ";
        appendNumber(out, plan.length);
        out += "\r\n";
    } else if (plan.framing == ReplyFraming::Chunked) {
        out += "transfer-encoding: chunked\r\n";
    }
    if (!plan.keepAlive)
        out += upgradeNamed ? "connection: close, upgrade\r\n" : "connection: close\r\n";
    else if (upgradeNamed)
        out += "connection: upgrade\r\n";
    else if (plan.isHttp10)
        out += "connection: keep-alive\r\n";
    out += "\r\n";
}

void appendChunk(std::string &out, std::string_view bytes)
{
    if (bytes.empty())
        return;
    appendNumber(out, bytes.size(), 16);
    out += "\r\n";
    out += bytes;
    out += "\r\n";
}

} // namespace headway::net
