// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/turn/passthrough.h"

#include "proxy/core/json/document.h"
#include "proxy/core/turn/redaction.h"

#include <algorithm>
#include <array>

namespace headway::turn {

namespace {

bool isOfTheConnection(std::string_view name)
{
    constexpr std::array own{
        std::string_view("connection"),
        std::string_view("keep-alive"),
        std::string_view("proxy-authenticate"),
        std::string_view("proxy-authorization"),
        std::string_view("proxy-connection"),
        std::string_view("te"),
        std::string_view("trailer"),
        std::string_view("transfer-encoding"),
        std::string_view("upgrade"),
        std::string_view("content-length"),
    };
    return std::find(own.begin(), own.end(), name) != own.end();
}

void take(std::uint64_t &number, const json::Value &value)
{
    if (const auto given = value.integer(); given && *given >= 0)
        number = static_cast<std::uint64_t>(*given);
}

} // namespace

HeaderFields relayedRequest(const HeaderFields &client)
{
    HeaderFields relayed;
    for (const auto &field : client) {
        const std::string &name = field.first;
        if (!isOfTheConnection(name) && name != "host" && name != "expect"
            && name != "content-encoding")
            relayed.push_back(field);
    }
    return relayed;
}

HeaderFields relayedAnswer(const HeaderFields &provider)
{
    HeaderFields relayed;
    std::copy_if(
        provider.begin(), provider.end(), std::back_inserter(relayed),
        [](const auto &field) { return !isOfTheConnection(field.first) && field.first != "date"; });
    return relayed;
}

void RelayedUsage::stream(std::string_view bytes)
{
    while (const auto event = m_events.next(bytes))
        read(event->data);
}

void RelayedUsage::whole(std::string_view body)
{
    read(body);
}

void RelayedUsage::read(std::string_view text)
{
    json::Document document;
    if (document.read(text))
        return;
    const json::Value root = document.root();
    const json::Value type = root["type"];
    const json::Value usage = type.is("message_start") ? root["message"]["usage"] : root["usage"];
    take(inputTokens, usage["input_tokens"]);
    take(cachedTokens, usage["cache_read_input_tokens"]);
    take(writtenTokens, usage["cache_creation_input_tokens"]);
    take(outputTokens, usage["output_tokens"]);
    const json::Value reason
        = type.is("message_delta") ? root["delta"]["stop_reason"] : root["stop_reason"];
    if (reason.isString())
        stopReason = recordable(reason.text());
    stopped = stopped || type.is("message_stop") || type.is("message");
    if (type.is("error"))
        errorType = recordable(root["error"]["type"].text());
}

} // namespace headway::turn
