// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/messages/contextedits.h"
#include "proxy/core/dialects/translate/callpairs.h"
#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/translate/parts.h"
#include "proxy/core/json/document.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::dialects {

// Turns `messages` into input items (table 5.1). The items of a message depend on nothing behind
// it except whether its calls are ever answered, so the items of turn n begin those of turn n + 1.
class Conversation final
{
public:
    // `edits` outlives it.
    Conversation(std::string &text, const ContextEdits &edits, Complaint &complaint);

    void read(json::Value messages);

    // Ranges of the items in `text`: offset, length.
    [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>> &items() const
    {
        return m_items;
    }
    // Where cache breakpoints may stand: offsets in `text` (see Wishes).
    [[nodiscard]] const std::vector<std::size_t> &cacheMarks() const { return m_cacheMarks; }
    [[nodiscard]] const std::vector<std::size_t> &plainResults() const { return m_plainResults; }
    [[nodiscard]] bool cachesLong() const { return m_cachesLong; }
    [[nodiscard]] bool endsWithUserText() const { return m_endsWithUserText; }

private:
    void findAnswered(json::Value messages);
    void readMessage(json::Value message, std::size_t index);
    void checkBlocks(json::Value content, std::size_t index);
    void readSystem(json::Value content);
    void readUser(json::Value content);
    void readAssistant(json::Value content, std::size_t index);
    void readAssistantBlock(json::Value block, std::string_view path);
    void readThinking(json::Value block);
    void readCall(json::Value block, std::string_view path);
    void readSummary(json::Value block);
    void readResult(json::Value block, Parts &rest);
    void addPlainResult(const CallPairs::Call &call, std::string_view body);
    void markInFront(json::Value block);
    void addItem(std::string_view item);
    void addItem(std::string_view item, const Parts &parts);
    void dropTrailingReasoning();

    std::string &m_text;
    const ContextEdits &m_edits;
    Complaint &m_complaint;
    std::vector<std::pair<std::size_t, std::size_t>> m_items;
    std::vector<std::size_t> m_cacheMarks;
    std::size_t m_lastPlace = 0; // where the latest part or plain result may be marked; 0: nowhere
    std::vector<std::size_t> m_plainResults;
    CallPairs m_calls;
    std::vector<CallPairs::Call> m_unanswered; // of the message being read
    std::size_t m_reasoningFrom = 0; // first item of the reasoning at the end of the message
    bool m_reasoningLast = false;
    bool m_cachesLong = false;
    bool m_endsWithUserText = false;
};

} // namespace headway::dialects
