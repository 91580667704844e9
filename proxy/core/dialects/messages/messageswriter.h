// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/messages/blockwriter.h"
#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/translate/itemsequence.h"
#include "proxy/core/dialects/translate/replycontext.h"
#include "proxy/core/dialects/translate/stopscanner.h"
#include "proxy/core/json/document.h"

#include <memory>
#include <string>
#include <vector>

namespace headway::dialects {

// The Messages door (table 5.2): upstream items become content blocks, strictly one after the
// other.
class MessagesWriter final : public ReplyWriter, private ItemSequence::Handler
{
public:
    MessagesWriter(const TurnRequest &request, base::TurnId turn);

    void event(const UpstreamEvent &event, std::string &out) override;
    void restart() override;
    void ping(std::string &out) const override;
    void fail(const TurnError &error, std::string &out) override;
    [[nodiscard]] Answer answer() const override;
    [[nodiscard]] std::vector<std::string> echoedItems() const override;
    [[nodiscard]] std::string stopReason() const override { return m_stopReason; }

private:
    using Slot = OutputSlot;

    void handle(Slot &slot, EventType type, int part, std::string_view data,
                std::string &out) override;
    [[nodiscard]] ArgumentFilter &filterOf(Slot &slot) const;

    void addText(Slot &slot, EventType type, int part, std::string_view literal, std::string &out);
    void showText(std::string_view literal, std::string &out);
    void endText(Slot &slot, std::string &out);
    void addThinking(Slot &slot, EventType type, int part, std::string_view literal,
                     std::string &out);
    void addArguments(Slot &slot, std::string_view unescaped, std::string &out);
    void openBlock(BlockWriter::Open kind, const Slot &slot, std::string &out);

    void finishItem(Slot &slot, std::string_view item, std::string &out);
    void finishReasoning(Slot &slot, json::Value item, std::string &out);
    void finishMessage(Slot &slot, json::Value item, std::string &out);
    void finishCall(Slot &slot, json::Value item, bool complete, std::string &out);
    void finishSearch(const Slot &slot, json::Value item, std::string &out);
    void finishReply(const UpstreamEvent &event, std::string &out);

    void startMessage(std::string &out);
    [[nodiscard]] std::string messageId() const;
    [[nodiscard]] std::string usageJson() const;
    [[nodiscard]] std::string stopJson() const;
    [[nodiscard]] std::string editsJson() const;

    // Everything that another attempt begins anew.
    struct State
    {
        explicit State(bool stream, const ReplyContext &context)
            : blocks(stream)
            , scanner(&context.stopSequences)
        {
        }
        BlockWriter blocks;
        StopScanner scanner;
        json::BodyDecoder textDecoder; // only with stop sequences
        ItemSequence items;
        std::string responseId;
        std::vector<std::string> echoes;
        bool started = false; // message_start is out
        bool stopped = false; // a stop sequence was found
        bool refused = false;
        std::size_t calls = 0;
        std::size_t searches = 0;
        Usage usage;
    };

    bool m_stream;
    base::TurnId m_turn;
    std::string m_model;
    std::uint64_t m_estimate;
    std::shared_ptr<const ReplyContext> m_context;
    State m_state;
    std::string m_stopReason;
};

} // namespace headway::dialects
