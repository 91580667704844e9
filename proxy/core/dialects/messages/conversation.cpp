// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/conversation.h"

#include "proxy/core/dialects/messages/blocks.h"
#include "proxy/core/dialects/translate/assistantitems.h"
#include "proxy/core/dialects/translate/toolnames.h"

namespace headway::dialects {

namespace {

using json::Value;

// Upstream has no flag for it.
constexpr std::string_view errorPrefix = "[tool execution error]\\n"; // escaped
constexpr std::string_view noOutput = "(no output)";
constexpr std::string_view summaryHeading = "[summary of the conversation so far]";

std::string pathOf(std::size_t message, std::string_view member)
{
    return "messages[" + std::to_string(message) + "]." + std::string(member);
}

std::string quotedBody(std::string_view body)
{
    return '"' + std::string(body) + '"';
}

} // namespace

Conversation::Conversation(std::string &text, const ContextEdits &edits, Complaint &complaint)
    : m_text(text)
    , m_edits(edits)
    , m_complaint(complaint)
{
}

void Conversation::read(json::Value messages)
{
    findAnswered(messages);
    std::size_t index = 0;
    for (const Value &message : messages)
        readMessage(message, index++);
}

// Which calls are ever answered must be known when a call is read: upstream refuses an unanswered
// one, and the repair must stand at the same place in every later turn.
void Conversation::findAnswered(json::Value messages)
{
    std::size_t index = 0;
    for (const Value &message : messages) {
        const bool isAssistant = message["role"].is("assistant");
        std::size_t place = 0;
        for (const Value &block : message["content"]) {
            if (m_edits.isLeftOut(index, place++))
                continue;
            if (isAssistant && block["type"].is("tool_use"))
                m_calls.noteCall(block["id"].text());
            else if (!isAssistant && block["type"].is("tool_result"))
                m_calls.noteResult(block["tool_use_id"].text());
        }
        ++index;
    }
}

void Conversation::readMessage(json::Value message, std::size_t index)
{
    if (!message.isObject()) {
        m_complaint.add("messages[" + std::to_string(index) + "]", "expected an object");
        return;
    }
    const Value role = message["role"];
    const Value content = message["content"];
    if (!content.isString() && !content.isArray()) {
        m_complaint.add(pathOf(index, "content"), "expected a string or an array of blocks");
        return;
    }
    checkBlocks(content, index);
    if (index < m_edits.firstMessage)
        return; // a summary of it follows
    if (role.is("user"))
        readUser(content);
    else if (role.is("assistant"))
        readAssistant(content, index);
    else if (role.is("system"))
        readSystem(content);
    else
        m_complaint.add(pathOf(index, "role"), "expected user, assistant or system");
}

void Conversation::checkBlocks(json::Value content, std::size_t index)
{
    std::size_t place = 0;
    for (const Value &block : content) {
        const std::string path = pathOf(index, "content[" + std::to_string(place++) + "]");
        if (!block.isObject() || !block["type"].isString())
            m_complaint.add(path, "expected a block with a type");
        else if (block["type"].is("text") && !block["text"].isString())
            m_complaint.add(path + ".text", "expected a string");
        else if (block["type"].is("tool_result") && !block["tool_use_id"].isString())
            m_complaint.add(path + ".tool_use_id", "expected a string");
    }
}

void Conversation::readSystem(json::Value content)
{
    // At its place: moving it to the front would change the prefix of every later turn.
    Parts parts;
    addContent(parts, content);
    const bool endedWithUserText = m_endsWithUserText;
    addItem(messageItem("developer", parts), parts);
    m_endsWithUserText = endedWithUserText;
}

void Conversation::readUser(json::Value content)
{
    Parts parts;
    m_endsWithUserText = false;
    if (content.isString()) {
        addText(parts, content.body());
    } else {
        // Results first: upstream wants them before anything else the user says.
        for (const Value &block : content) {
            if (block["type"].is("tool_result"))
                readResult(block, parts);
        }
        for (const Value &block : content) {
            if (block["type"].is("tool_result"))
                continue;
            m_endsWithUserText = block["type"].is("text") && !block["text"].body().empty();
            addBlock(parts, block);
        }
    }
    if (content.isString())
        m_endsWithUserText = parts.count > 0;
    addItem(messageItem("user", parts), parts);
}

void Conversation::readResult(json::Value block, Parts &rest)
{
    const auto call = m_calls.result(block["tool_use_id"].text());
    if (!call) {
        // Its call is gone (cut away by the client): upstream would refuse the turn, so the model
        // gets it as what the user says.
        addText(rest, orphanHeading(block["tool_use_id"].body()));
        addContent(rest, block["content"]);
        return;
    }
    if (m_edits.results.contains(block["tool_use_id"].text())) {
        addPlainResult(*call, clearedResult);
        markInFront(block);
        return;
    }
    const bool isError = block["is_error"].boolean().value_or(false);
    Parts parts;
    if (isError)
        addText(parts, errorPrefix);
    addContent(parts, block["content"]);
    if (parts.count == (isError ? 1U : 0U)) {
        addPlainResult(*call, isError ? errorPrefix : noOutput);
        markInFront(block);
        return;
    }
    // One text is a string, so that both ways a client may write it come out the same.
    Parts plain;
    addContent(plain, block["content"]);
    if (plain.count == 1 && !plain.onlyText.empty()) {
        std::string output(isError ? errorPrefix : std::string_view());
        output += plain.onlyText;
        addPlainResult(*call, output);
        markInFront(block);
        for (const Value &inner : block["content"])
            markInFront(inner);
        return;
    }
    markCache(parts, block);
    addItem(outputItem(*call, '[' + parts.json + ']'), parts);
}

void Conversation::readAssistant(json::Value content, std::size_t index)
{
    m_endsWithUserText = false;
    m_reasoningLast = false;
    m_unanswered.clear();
    if (content.isString()) {
        if (!content.body().empty())
            addItem(textItem(content.body()));
        return;
    }
    std::size_t position = 0;
    for (const Value &block : content) {
        const std::size_t place = position++;
        if (!m_edits.isLeftOut(index, place))
            readAssistantBlock(block, pathOf(index, "content[" + std::to_string(place) + "]"));
    }
    dropTrailingReasoning();
    for (const CallPairs::Call &call : m_unanswered)
        addItem(interruptedItem(call));
}

void Conversation::readAssistantBlock(json::Value block, std::string_view path)
{
    const Value type = block["type"];
    if (type.is("text")) {
        if (block["text"].body().empty())
            return;
        m_reasoningLast = false;
        addItem(textItem(block["text"].body()));
    } else if (type.is("tool_use")) {
        m_reasoningLast = false;
        readCall(block, path);
    } else if (type.is("thinking") || type.is("redacted_thinking")) {
        readThinking(block);
    } else if (type.is("compaction")) {
        readSummary(block);
    }
    markInFront(block);
    // Blocks of hosted tools stand for items upstream keeps itself; they are not sent back.
}

// What another provider made of the conversation so far; one that failed has nothing in it.
void Conversation::readSummary(json::Value block)
{
    if (!block["content"].isString() || block["content"].body().empty())
        return;
    m_reasoningLast = false;
    Parts parts;
    addText(parts, summaryHeading);
    addText(parts, block["content"].body());
    addItem(messageItem("user", parts), parts);
}

void Conversation::readThinking(json::Value block)
{
    const bool redacted = block["type"].is("redacted_thinking");
    const auto reasoning = decodeSignature(block[redacted ? "data" : "signature"].text());
    if (!reasoning)
        return; // another provider's: means nothing upstream
    if (!m_reasoningLast)
        m_reasoningFrom = m_items.size();
    m_reasoningLast = true;
    addItem(reasoningItem(*reasoning, block["thinking"].text()));
}

void Conversation::readCall(json::Value block, std::string_view path)
{
    const Value input = block["input"];
    if (!block["id"].isString() || !block["name"].isString())
        m_complaint.add(std::string(path), "a tool_use needs id and name");
    const CallPairs::Call call = m_calls.call(block["id"].text());
    const bool isCleared = m_edits.inputs.contains(block["id"].text());
    addItem(callItem(call.upstreamId, aliased(block["name"].text()),
                     input.exists() && !input.isNull() && !isCleared ? input.raw()
                                                                     : std::string_view("{}")));
    if (!call.open)
        m_unanswered.push_back(call);
}

void Conversation::addItem(std::string_view item)
{
    if (item.empty())
        return;
    m_items.emplace_back(m_text.size(), item.size());
    m_text += item;
}

void Conversation::addItem(std::string_view item, const Parts &parts)
{
    const std::size_t at = m_text.size() + item.rfind(parts.json);
    for (const std::size_t mark : parts.cacheMarks)
        m_cacheMarks.push_back(at + mark);
    m_cachesLong = m_cachesLong || parts.cachesLong;
    if (parts.count > 0)
        m_lastPlace = at + parts.json.size() - 1;
    addItem(item);
}

void Conversation::addPlainResult(const CallPairs::Call &call, std::string_view body)
{
    const std::string item = outputItem(call, quotedBody(body));
    const std::size_t end = m_text.size() + item.size() - 1; // the brace
    m_plainResults.push_back(end - body.size() - 2);
    m_lastPlace = end;
    addItem(item);
}

// Of what has no part that can be marked itself, or is read by now.
void Conversation::markInFront(json::Value block)
{
    const Value control = block["cache_control"];
    if (!control.isObject() || m_lastPlace == 0)
        return;
    if (m_cacheMarks.empty() || m_cacheMarks.back() < m_lastPlace)
        m_cacheMarks.push_back(m_lastPlace);
    m_cachesLong = m_cachesLong || control["ttl"].is("1h");
}

// Reasoning must be followed by what it produced, else upstream refuses the turn.
void Conversation::dropTrailingReasoning()
{
    if (!m_reasoningLast)
        return;
    m_text.resize(m_items[m_reasoningFrom].first);
    m_items.resize(m_reasoningFrom);
    m_reasoningLast = false;
}

} // namespace headway::dialects
