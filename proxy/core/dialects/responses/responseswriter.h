// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/replywriter.h"

#include <map>
#include <string>
#include <vector>

namespace headway::dialects {

// The Responses doors: upstream frames pass through as they are, as SSE records or as messages of a
// WebSocket; or one response object for a client that does not stream.
class ResponsesWriter final : public ReplyWriter
{
public:
    ResponsesWriter(const TurnRequest &request, base::TurnId turn);

    void event(const UpstreamEvent &event, std::string &out) override;
    void restart() override;
    void ping(std::string &out) const override;
    void fail(const TurnError &error, std::string &out) override;
    [[nodiscard]] Answer answer() const override;
    [[nodiscard]] std::vector<std::string> echoedItems() const override;
    [[nodiscard]] std::string stopReason() const override { return m_stopReason; }

private:
    void write(std::string &out, std::string_view typeName, std::string_view json) const;
    void takeWhole(std::string_view response);
    void finish(const UpstreamEvent &event);
    [[nodiscard]] std::string failedEvent(const TurnError &error) const;

    Door m_door;
    bool m_stream;
    bool m_hasOutput = false;
    base::TurnId m_turn;
    std::string m_model;
    std::string m_held; // encoded events before the first output
    std::string m_responseId;
    std::map<int, std::string> m_items; // output items that are done, by index
    std::string m_response; // of the terminal event, when one body is wanted
    std::string m_stopReason;
    std::uint64_t m_events = 0;
};

} // namespace headway::dialects
