// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/callpairs.h"
#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/translate/parts.h"
#include "proxy/core/dialects/translate/requesttext.h"
#include "proxy/core/json/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace headway::dialects {

// Turns the messages of a chat completion into input items. System and developer messages at the
// front are the instructions; later ones stay at their place, because moving them would change the
// prefix of every later turn.
class ChatConversation final
{
public:
    ChatConversation(RequestText &text, Complaint &complaint);

    void read(json::Value messages);

    [[nodiscard]] const std::vector<RequestText::Range> &items() const { return m_items; }
    [[nodiscard]] std::string instructions() const; // a JSON literal; empty when there are none
    [[nodiscard]] bool endsWithUserText() const { return m_endsWithUserText; }

private:
    void readMessage(json::Value message, const std::string &path);
    void readSystem(json::Value content, const std::string &path);
    void readUser(json::Value content, const std::string &path);
    void readAssistant(json::Value message, const std::string &path);
    void readCall(json::Value call, const std::string &path);
    void readResult(json::Value message, const std::string &path);
    void addContent(Parts &parts, json::Value content, const std::string &path);
    void addPartOf(Parts &parts, json::Value part, const std::string &path);
    void addItem(std::string_view item);

    RequestText &m_text;
    Complaint &m_complaint;
    std::vector<RequestText::Range> m_items;
    CallPairs m_calls;
    std::vector<CallPairs::Call> m_unanswered; // of the message being read
    std::string m_instructions; // body
    bool m_atFront = true; // only system messages so far
    bool m_endsWithUserText = false;
};

} // namespace headway::dialects
