// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/turn/redaction.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace headway::turn {

namespace {

constexpr std::string_view mark = "[redacted]";
constexpr std::size_t shortestSecret = 8;
constexpr std::size_t shortestKeyTail = 16;
constexpr std::size_t longestWord = 64;

bool isTokenCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || c == '-';
}

std::size_t tokenLength(std::string_view text, bool dots)
{
    std::size_t length = 0;
    while (length < text.size()
           && (isTokenCharacter(text[length]) || (dots && text[length] == '.')))
        ++length;
    return length;
}

// How many characters at the start of `text` look like a key or a token; 0: none.
std::size_t secretShape(std::string_view text)
{
    if (text.starts_with("sk-")) {
        const std::size_t length = tokenLength(text, false);
        return length >= 3 + shortestKeyTail ? length : 0;
    }
    if (text.starts_with("eyJ")) {
        const std::size_t length = tokenLength(text, true);
        return std::ranges::count(text.substr(0, length), '.') >= 2 ? length : 0;
    }
    return 0;
}

} // namespace

Redactor::Redactor(std::vector<std::string> secrets)
    : m_secrets(std::move(secrets))
{
    std::erase_if(m_secrets, [](const std::string &s) { return s.size() < shortestSecret; });
    m_kept = std::ssize(m_secrets);
}

void Redactor::add(std::string secret)
{
    if (secret.size() < shortestSecret || std::ranges::find(m_secrets, secret) != m_secrets.end())
        return;
    m_secrets.push_back(std::move(secret));
    // Each renewal brings three; those of long ago are shown by nobody any more.
    constexpr std::size_t most = 64;
    if (m_secrets.size() > most)
        m_secrets.erase(m_secrets.begin() + m_kept);
}

std::string Redactor::operator()(std::string_view text) const
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        std::size_t length = secretShape(rest);
        for (const std::string &secret : m_secrets) {
            if (rest.starts_with(secret))
                length = std::max(length, secret.size());
        }
        if (length > 0) {
            result += mark;
            at += length;
        } else {
            result += text[at++];
        }
    }
    return result;
}

std::string_view recordable(std::string_view word)
{
    const bool fits = word.size() <= longestWord
        && std::ranges::all_of(word, [](char c) { return isTokenCharacter(c) || c == '.'; });
    return fits ? word : std::string_view();
}

} // namespace headway::turn
