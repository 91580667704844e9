// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/chat/chatconversation.h"

#include "proxy/core/dialects/translate/assistantitems.h"
#include "proxy/core/dialects/translate/toolnames.h"

namespace headway::dialects {

namespace {

using json::Value;

constexpr std::string_view noOutput = "\"(no output)\"";

bool isAbsent(const Value &value)
{
    return !value.exists() || value.isNull();
}

bool isSystem(const Value &role)
{
    return role.is("system") || role.is("developer");
}

// What an assistant said: a string, or parts whose texts are one. Clients write both for the same.
std::string saidBody(const Value &content, std::string_view type, std::string_view member)
{
    std::string body;
    if (content.isString() && type == "text")
        return std::string(content.body());
    for (const Value &part : content) {
        if (part["type"].is(type))
            body += part[member].body();
    }
    return body;
}

} // namespace

ChatConversation::ChatConversation(RequestText &text, Complaint &complaint)
    : m_text(text)
    , m_complaint(complaint)
{
}

void ChatConversation::read(json::Value messages)
{
    for (const Value &message : messages) {
        for (const Value &call : message["tool_calls"])
            m_calls.noteCall(call["id"].text());
        if (message["role"].is("tool"))
            m_calls.noteResult(message["tool_call_id"].text());
    }
    std::size_t index = 0;
    for (const Value &message : messages)
        readMessage(message, "messages[" + std::to_string(index++) + ']');
}

std::string ChatConversation::instructions() const
{
    return m_instructions.empty() ? std::string() : '"' + m_instructions + '"';
}

void ChatConversation::readMessage(json::Value message, const std::string &path)
{
    if (!message.isObject()) {
        m_complaint.add(path, "expected an object");
        return;
    }
    const Value role = message["role"];
    const Value content = message["content"];
    if (!isAbsent(content) && !content.isString() && !content.isArray())
        m_complaint.add(path + ".content", "expected a string or an array of parts");
    m_atFront = m_atFront && isSystem(role);
    if (isSystem(role))
        readSystem(content, path);
    else if (role.is("user"))
        readUser(content, path);
    else if (role.is("assistant"))
        readAssistant(message, path);
    else if (role.is("tool"))
        readResult(message, path);
    else
        m_complaint.add(path + ".role", "expected developer, system, user, assistant or tool");
}

void ChatConversation::readSystem(json::Value content, const std::string &path)
{
    Parts parts;
    addContent(parts, content, path);
    if (!m_atFront) {
        addItem(messageItem("developer", parts));
        return;
    }
    const std::string body = saidBody(content, "text", "text");
    if (!m_instructions.empty() && !body.empty())
        m_instructions += "\\n\\n";
    m_instructions += body;
}

void ChatConversation::readUser(json::Value content, const std::string &path)
{
    Parts parts;
    addContent(parts, content, path);
    addItem(messageItem("user", parts));
    m_endsWithUserText = !saidBody(content, "text", "text").empty();
}

void ChatConversation::readAssistant(json::Value message, const std::string &path)
{
    m_endsWithUserText = false;
    m_unanswered.clear();
    const Value content = message["content"];
    const std::string text = saidBody(content, "text", "text");
    if (!text.empty())
        addItem(textItem(text));
    // A refusal is what was said instead; upstream has a part of its own for it only in replies.
    std::string refusal = saidBody(content, "refusal", "refusal");
    if (refusal.empty())
        refusal = message["refusal"].body();
    if (!refusal.empty())
        addItem(textItem(refusal));
    const Value calls = message["tool_calls"];
    if (!isAbsent(calls) && !calls.isArray())
        m_complaint.add(path + ".tool_calls", "expected an array");
    std::size_t index = 0;
    for (const Value &call : calls)
        readCall(call, path + ".tool_calls[" + std::to_string(index++) + ']');
    if (message["function_call"].isObject())
        m_complaint.add(path + ".function_call", "no longer supported; use tool_calls");
    for (const CallPairs::Call &call : m_unanswered)
        addItem(interruptedItem(call));
}

void ChatConversation::readCall(json::Value call, const std::string &path)
{
    const bool isCustom = call["type"].is("custom");
    const Value what = call[isCustom ? "custom" : "function"];
    const Value input = what[isCustom ? "input" : "arguments"];
    if (!call["id"].isString())
        m_complaint.add(path + ".id", "expected a string");
    if (!what["name"].isString())
        m_complaint.add(path + (isCustom ? ".custom.name" : ".function.name"), "expected a string");
    if (!isAbsent(input) && !input.isString())
        m_complaint.add(path + (isCustom ? ".custom.input" : ".function.arguments"),
                        "expected a string");
    const CallPairs::Call read = m_calls.call(call["id"].text(), isCustom);
    const std::string name = aliased(what["name"].text());
    if (isCustom)
        addItem(customCallItem(read.upstreamId, name, input.text()));
    else
        addItem(callItem(read.upstreamId, name, input.body().empty() ? "{}" : input.text()));
    if (!read.open)
        m_unanswered.push_back(read);
}

void ChatConversation::readResult(json::Value message, const std::string &path)
{
    m_endsWithUserText = false;
    if (!message["tool_call_id"].isString())
        m_complaint.add(path + ".tool_call_id", "expected a string");
    Parts parts;
    const auto call = m_calls.result(message["tool_call_id"].text());
    if (!call) // its call is gone: upstream would refuse the turn
        addText(parts, orphanHeading(message["tool_call_id"].body()));
    addContent(parts, message["content"], path);
    if (!call)
        addItem(messageItem("user", parts));
    else if (parts.count == 0)
        addItem(outputItem(*call, noOutput));
    else if (!parts.onlyText.empty())
        addItem(outputItem(*call, '"' + std::string(parts.onlyText) + '"'));
    else
        addItem(outputItem(*call, '[' + parts.json + ']'));
}

void ChatConversation::addContent(Parts &parts, json::Value content, const std::string &path)
{
    if (content.isString()) {
        addText(parts, content.body());
        return;
    }
    std::size_t index = 0;
    for (const Value &part : content)
        addPartOf(parts, part, path + ".content[" + std::to_string(index++) + ']');
}

void ChatConversation::addPartOf(Parts &parts, json::Value part, const std::string &path)
{
    const Value type = part["type"];
    if (type.is("text") && part["text"].isString()) {
        addText(parts, part["text"].body());
    } else if (type.is("image_url")) {
        // Some clients write the address itself instead of an object.
        const Value image = part["image_url"];
        const Value url = image.isString() ? image : image["url"];
        if (!url.isString())
            m_complaint.add(path + ".image_url", "expected an object with a url");
        const Value detail = image["detail"];
        std::string json = R"({"type":"input_image","image_url":)";
        json += url.raw();
        json += ",\"detail\":";
        json += detail.isString() ? detail.raw() : std::string_view("\"auto\"");
        addPart(parts, json + '}');
    } else if (type.is("file")) {
        std::string json = R"({"type":"input_file")";
        for (const std::string_view member : {"filename", "file_data", "file_id"})
            if (part["file"][member].isString())
                json += ",\"" + std::string(member)
                    + "\":" + std::string(part["file"][member].raw());
        addPart(parts, json + '}');
    } else {
        m_complaint.add(path, "only text, image_url and file parts can be passed on");
    }
}

void ChatConversation::addItem(std::string_view item)
{
    if (!item.empty())
        m_items.push_back(m_text.keep(item));
}

} // namespace headway::dialects
