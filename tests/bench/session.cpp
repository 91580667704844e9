// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/streamload.h"

namespace headway::bench {

namespace {

constexpr std::size_t historyMessageBytes = 4096;

std::string padded(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    return std::string(12 - digits.size(), '0') + digits;
}

std::string filler(std::size_t bytes)
{
    std::string text;
    while (text.size() < bytes)
        text += "some words of an earlier turn, with \\\"quotes\\\" and a line\\nbreak; ";
    return text;
}

} // namespace

Session::Session(const LoadPlan &plan, std::uint64_t number)
    : m_plan(&plan)
    , m_isMessages(plan.path.ends_with("messages"))
    , m_number(number)
{
    for (std::size_t bytes = 0; bytes < plan.historyBytes; bytes += 2 * historyMessageBytes) {
        say("user", filler(historyMessageBytes));
        say("assistant", filler(historyMessageBytes));
    }
}

void Session::say(std::string_view role, const std::string &text)
{
    if (!m_history.empty())
        m_history += ',';
    const std::string block = m_isMessages ? "text" : role == "user" ? "input_text" : "output_text";
    m_history += m_isMessages ? "{" : "{\"type\":\"message\",";
    m_history += "\"role\":\"" + std::string(role) + "\",\"content\":[{\"type\":\"" + block
        + "\",\"text\":\"" + text + "\"}]}";
}

void Session::hear(const std::string &reply)
{
    say("assistant", reply);
}

std::string Session::nextRequest()
{
    ++m_turns;
    say("user", "turn " + std::to_string(m_turns) + " of session " + std::to_string(m_number));
    const std::string system
        = "You are a load. You answer with words in order, and you are not asked to think.";
    std::string body = "{\"model\":\"" + modelName(m_plan->shape) + "\",\"stream\":true,";
    body += m_isMessages
        ? "\"max_tokens\":4096,\"system\":\"" + system + "\",\"messages\":[" + m_history + "]}"
        : "\"store\":false,\"instructions\":\"" + system + "\",\"input\":[" + m_history + "]}";
    // One header names the session to each kind of client's liking.
    const std::string session = "00000000-0000-4000-8000-" + padded(m_number);
    std::string request = "POST " + m_plan->path + " HTTP/1.1\r\nHost: 127.0.0.1:"
        + std::to_string(m_plan->port) + "\r\nContent-Type: application/json\r\n"
        + (m_isMessages ? "anthropic-version: 2023-06-01\r\nx-claude-code-session-id: "
                        : "session_id: ")
        + session + "\r\n";
    for (const std::string &line : m_plan->headers)
        request += line + "\r\n";
    return request + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace headway::bench
