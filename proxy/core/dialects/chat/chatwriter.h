// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/translate/itemsequence.h"
#include "proxy/core/dialects/translate/replycontext.h"
#include "proxy/core/dialects/translate/stopscanner.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/literal.h"

#include <memory>
#include <string>
#include <vector>

namespace headway::dialects {

// The chat completions door: upstream messages become the one content of a message, calls its
// tool_calls. What is shown of the reasoning stands in reasoning_content, as gateways made usual;
// it does not come back, and upstream keeps the rest on the connection.
class ChatWriter final : public ReplyWriter, private ItemSequence::Handler
{
public:
    ChatWriter(const TurnRequest &request, base::TurnId turn);

    void event(const UpstreamEvent &event, std::string &out) override;
    void restart() override;
    void ping(std::string &out) const override;
    void fail(const TurnError &error, std::string &out) override;
    [[nodiscard]] Answer answer() const override;
    [[nodiscard]] std::vector<std::string> echoedItems() const override;
    [[nodiscard]] std::string stopReason() const override { return m_finishReason; }

private:
    struct Call
    {
        std::string idBody;
        std::string name; // upstream
        std::string input; // unescaped
        bool isCustom = false;
        bool complete = false;
    };

    void handle(OutputSlot &slot, EventType type, int part, std::string_view data,
                std::string &out) override;
    void enterPart(OutputSlot &slot, EventType type, int part, std::string &out);
    void addText(OutputSlot &slot, std::string_view unescaped, std::string &out);
    void addReasoning(std::string_view unescaped, std::string &out);
    void show(std::string_view member, std::string_view text, std::string &out);
    void endText(OutputSlot &slot, std::string &out);
    void openCall(OutputSlot &slot, std::string &out);
    void addInput(OutputSlot &slot, std::string_view unescaped, std::string &out);

    void finishItem(OutputSlot &slot, std::string_view item, bool complete, std::string &out);
    void finishReasoning(OutputSlot &slot, json::Value item, std::string &out);
    void finishPart(OutputSlot &slot, EventType type, int part, const std::string &whole,
                    std::string &out);
    void finishMessage(OutputSlot &slot, json::Value item, std::string &out);
    void finishCall(OutputSlot &slot, json::Value item, bool complete, std::string &out);
    void finishReply(const UpstreamEvent &event, std::string &out);

    void start(std::string &out);
    void chunk(std::string &out, std::string_view delta,
               std::string_view finishReason = "null") const;
    [[nodiscard]] std::string head(std::string_view object) const;
    [[nodiscard]] std::string usageJson() const;
    [[nodiscard]] std::string messageJson() const;
    [[nodiscard]] const std::string &clientName(const Call &call) const;

    // Everything that another attempt begins anew.
    struct State
    {
        explicit State(const ReplyContext &context)
            : scanner(&context.stopSequences)
        {
        }
        ItemSequence items;
        StopScanner scanner;
        std::string said; // by upstream: what a later turn builds on
        std::string shown; // to the client; shorter when a stop sequence was found
        std::string refusal;
        std::optional<std::string> phaseBody; // of all messages so far; empty: they differ
        std::string reasoning; // shown
        bool reasoningJoint = false; // the next text of it belongs to another part
        std::vector<Call> calls;
        std::int64_t created = 0; // unix seconds, as upstream says; 0: it did not
        bool started = false; // the first chunk is out
        bool joint = false; // the next text belongs to another message
        bool stopped = false; // a stop sequence was found
        Usage usage;
    };

    bool m_stream;
    base::TurnId m_turn;
    std::string m_model;
    std::shared_ptr<const ReplyContext> m_context;
    State m_state;
    std::string m_finishReason;
};

} // namespace headway::dialects
