// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/keycheck.h"

#include "proxy/net/listener/fieldtext.h"

#include <algorithm>
#include <openssl/crypto.h>
#include <utility>

namespace headway::net {
namespace {

constexpr int unslowedWrongKeys = 3;
constexpr int mostCounted = 16;

// Constant time for values of the key's length; the length itself is no secret.
bool isKey(std::string_view value, std::string_view key)
{
    return !key.empty() && value.size() == key.size()
        && CRYPTO_memcmp(value.data(), key.data(), key.size()) == 0;
}

std::string_view bearer(std::string_view value)
{
    constexpr std::string_view scheme = "bearer ";
    if (value.size() < scheme.size() || !equalsIgnoringCase(value.substr(0, scheme.size()), scheme))
        return {};
    return trimmed(value.substr(scheme.size()));
}

std::string_view lastWord(std::string_view value)
{
    const std::size_t blank = value.find_last_of(" \t");
    return blank == std::string_view::npos ? value : value.substr(blank + 1);
}

} // namespace

KeyCheck::KeyCheck(std::string accessKey, std::string controlKey)
    : m_accessKey(std::move(accessKey))
    , m_controlKey(std::move(controlKey))
{
}

std::string KeyCheck::takePathKey(RequestHead &head)
{
    constexpr std::string_view mark = "/k/";
    if (head.path.compare(0, mark.size(), mark) != 0)
        return {};
    const std::size_t end = std::min(head.path.find('/', mark.size()), head.path.size());
    std::string key = head.path.substr(mark.size(), end - mark.size());
    const std::size_t at = head.target.find(head.path); // behind the host of an absolute target
    if (at != std::string::npos)
        head.target.erase(at, end);
    head.path.erase(0, end);
    if (head.path.empty()) {
        head.path = "/";
        head.target.insert(std::min(at, head.target.size()), "/");
    }
    return key;
}

bool KeyCheck::admits(RequestHead &head, RouteClass routeClass, std::string_view pathKey) const
{
    head.keyPlace = KeyPlace::NotAsked;
    if (routeClass == RouteClass::Open || (routeClass == RouteClass::Model && m_accessKey.empty()))
        return true;
    const bool isModel = routeClass == RouteClass::Model;
    const std::string &key = isModel ? m_accessKey : m_controlKey;
    bool dedicated = isModel && isKey(pathKey, key);
    bool credential = false;
    for (const auto &[name, value] : head.headers) {
        if (name == "x-headway-key")
            dedicated = isKey(value, key) || dedicated;
        else if (name == "authorization")
            credential = isKey(bearer(value), key) || credential;
        else if (name == "x-api-key" && isModel)
            credential = isKey(value, key) || credential;
    }
    head.keyPlace = dedicated ? KeyPlace::Dedicated : KeyPlace::Credential;
    return dedicated || credential;
}

void KeyCheck::strip(RequestHead &head) const
{
    const auto isOurs = [this](std::string_view value) {
        return isKey(value, m_accessKey) || isKey(value, m_controlKey);
    };
    std::erase_if(head.headers, [&isOurs](const auto &field) {
        return field.first == "x-headway-key" || isOurs(field.second)
            || isOurs(lastWord(field.second));
    });
}

WrongKeyBrake::WrongKeyBrake(const ListenerTimes &times)
    : m_times(times)
{
}

std::chrono::milliseconds WrongKeyBrake::wrongKey(base::SteadyTime now)
{
    const auto forgotten = (now - m_forgotten) / m_times.wrongKeyMost;
    m_recent = forgotten >= m_recent ? 0 : m_recent - static_cast<int>(forgotten);
    m_forgotten += forgotten * m_times.wrongKeyMost;
    m_recent = std::min(m_recent + 1, mostCounted);
    if (m_recent <= unslowedWrongKeys)
        return std::chrono::milliseconds::zero();
    const int doublings = m_recent - unslowedWrongKeys - 1;
    return std::min(m_times.wrongKeyStep * (1 << doublings), m_times.wrongKeyMost);
}

} // namespace headway::net
