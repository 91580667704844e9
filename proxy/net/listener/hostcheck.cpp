// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/hostcheck.h"

#include "proxy/net/listener/fieldtext.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace headway::net {
namespace {

constexpr std::uint16_t httpPort = 80;
constexpr std::uint16_t httpsPort = 443;

struct Authority
{
    std::string_view host; // IPv6 with its brackets
    std::optional<std::uint16_t> port;
};

std::optional<Authority> split(std::string_view text)
{
    Authority result;
    std::size_t hostEnd = text.find(':');
    if (!text.empty() && text.front() == '[') {
        const std::size_t bracket = text.find(']');
        if (bracket == std::string_view::npos)
            return std::nullopt;
        hostEnd = bracket + 1;
    }
    result.host = text.substr(0, hostEnd);
    if (result.host.empty() || result.host.find_first_of("/?#@ \t,\\") != std::string_view::npos)
        return std::nullopt;
    if (hostEnd >= text.size())
        return result;
    const std::string_view port = text.substr(hostEnd + 1);
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (text[hostEnd] != ':' || error != std::errc{} || end != port.data() + port.size())
        return std::nullopt;
    result.port = number;
    return result;
}

Refusal refusal(int status, std::string message, std::string code)
{
    return {status, std::move(message), {}, std::move(code)};
}

// Splits head.target into path and query; `authority` is set for the absolute form.
bool splitTarget(RequestHead &head, std::string_view &authority)
{
    std::string_view rest = head.target;
    constexpr std::string_view scheme = "http://";
    if (rest.size() > scheme.size() && equalsIgnoringCase(rest.substr(0, scheme.size()), scheme)) {
        rest.remove_prefix(scheme.size());
        authority = rest.substr(0, rest.find_first_of("/?"));
        rest.remove_prefix(authority.size());
    }
    if (rest.find('#') != std::string_view::npos)
        return false;
    const std::size_t question = rest.find('?');
    head.path = rest.substr(0, question);
    head.query = question == std::string_view::npos ? "" : rest.substr(question + 1);
    if (head.path.empty() && !authority.empty())
        head.path = "/";
    // CONNECT names an authority and OPTIONS may be "*"; their methods are refused later.
    return !head.path.empty()
        && (head.path.front() == '/' || head.method == "CONNECT" || head.path == "*");
}

} // namespace

HostCheck::HostCheck(std::vector<std::string> addresses, std::vector<std::string> allowed,
                     std::uint16_t port)
    : m_names(std::move(addresses))
    , m_allowed(std::move(allowed))
    , m_port(port)
{
    m_names.insert(m_names.end(), {"127.0.0.1", "localhost", "[::1]"});
}

bool HostCheck::isOurs(std::string_view text, std::uint16_t defaultPort) const
{
    const std::optional<Authority> authority = split(text);
    if (!authority)
        return false;
    const auto named
        = [&authority](std::string_view name) { return equalsIgnoringCase(name, authority->host); };
    if (std::any_of(m_names.begin(), m_names.end(), named)
        && authority->port.value_or(defaultPort) == m_port)
        return true;
    return std::any_of(m_allowed.begin(), m_allowed.end(), [&](std::string_view entry) {
        return named(entry) || equalsIgnoringCase(entry, text);
    });
}

bool HostCheck::isOurOrigin(std::string_view origin) const
{
    constexpr std::string_view plain = "http://";
    constexpr std::string_view secure = "https://";
    if (origin.substr(0, plain.size()) == plain)
        return isOurs(origin.substr(plain.size()), httpPort);
    return origin.substr(0, secure.size()) == secure
        && isOurs(origin.substr(secure.size()), httpsPort);
}

std::optional<Refusal> HostCheck::check(RequestHead &head, bool isHttp10) const
{
    std::string_view authority;
    if (!splitTarget(head, authority))
        return refusal(400, "The request target is not a path that begins with \"/\".",
                       "bad_request");
    std::string_view host = authority;
    std::size_t hosts = 0;
    bool misdirected = !authority.empty() && !isOurs(authority, m_port);
    for (const auto &[name, value] : head.headers) {
        if (name == "host") {
            ++hosts;
            if (!split(value))
                return refusal(400, "The Host header is not a host name.", "bad_request");
            misdirected = misdirected || !isOurs(value, m_port);
            host = value;
        } else if (name == "origin" && !isOurOrigin(value)) {
            return refusal(403,
                           "Requests from web pages of another origin are refused. Programs must "
                           "not send an Origin header.",
                           "foreign_origin");
        }
    }
    if (hosts > 1 || (hosts == 0 && !isHttp10))
        return refusal(400, "The request must have exactly one Host header.", "bad_request");
    if (misdirected)
        return refusal(421,
                       "This proxy does not answer for the host \""
                           + std::string{host.substr(0, 128)}
                           + "\". Use the address it listens on, or add the name to the setting "
                             "allowed_hosts.",
                       "unknown_host");
    return std::nullopt;
}

} // namespace headway::net
