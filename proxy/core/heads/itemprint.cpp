// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/itemprint.h"

#include "proxy/core/heads/canonical.h"
#include "proxy/core/heads/itemshape.h"
#include "proxy/core/heads/jsonreader.h"
#include "proxy/core/heads/seenbefore.h"

#include <array>
#include <span>
#include <string>

namespace headway::heads {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// What a message is printed from by hand, then members that the server sets on output items or that
// clients add for themselves: an echo comes with or without those.
constexpr std::array<std::string_view, 11> messageMembers{
    "type",
    "role",
    "content",
    "id",
    "status",
    "phase",
    "annotations",
    "logprobs",
    "metadata",
    "internal_metadata",
    "internal_chat_message_metadata_passthrough"};
constexpr std::span serverMembers = std::span(messageMembers).subspan<3>();
constexpr std::array<std::string_view, 2> partNoise{"annotations", "logprobs"};
constexpr std::array<std::string_view, 3> reasoningNoise{"id", "status", "content"};

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

struct ItemPrinter::State
{
    explicit State(std::uint64_t hashSeed)
        : seed(hashSeed)
    {
    }

    [[nodiscard]] ItemPrint printAnew(std::string_view item);
    ItemKind write(object item);
    void writeMessage(object item);
    void writeContent(element content, std::string_view role);
    void writeCall(object item, std::string_view payload, bool blankIsEmptyObject);
    void writePayload(element payload, bool blankIsEmptyObject);
    void writeReasoning(object item);
    void writeOptional(const std::optional<element> &value);

    std::uint64_t seed;
    JsonReader reader;
    JsonReader payloadReader;
    CanonicalForm form;
    SeenBefore seen;
};

ItemPrint ItemPrinter::State::printAnew(std::string_view item)
{
    ItemKind kind = ItemKind::Other;
    form.clear();
    if (const auto root = reader.read(item)) {
        object fields;
        if (root->get_object().get(fields) == simdjson::SUCCESS)
            kind = write(fields);
        else
            form.value(*root);
    } else {
        form.mark('X');
        form.text(item);
    }
    const ItemPrint print{base::fingerprint(form.bytes(), seed), kind};
    form.release();
    reader.release();
    payloadReader.release();
    return print;
}

ItemKind ItemPrinter::State::write(object item)
{
    const std::string_view type = typeOf(item);
    const ItemKind kind = kindOf(item, type);
    if (type == "message")
        writeMessage(item);
    else if (kind == ItemKind::FunctionCall)
        writeCall(item, "arguments", true);
    else if (kind == ItemKind::CustomToolCall)
        writeCall(item, "input", false);
    else if (kind == ItemKind::Reasoning)
        writeReasoning(item);
    else if (type == "item_reference")
        form.object(item, {}, true); // here the id is the item
    else
        form.object(item, serverMembers, true);
    return kind;
}

void ItemPrinter::State::writeMessage(object item)
{
    const std::string_view role = stringMember(item, "role");
    form.mark('M');
    form.text(role);
    if (const auto content = member(item, "content"))
        writeContent(*content, role);
    else
        form.null();
    form.object(item, messageMembers, true);
}

// A string is one text part (protocols: easy messages).
void ItemPrinter::State::writeContent(element content, std::string_view role)
{
    const std::string_view textType = role == "assistant" ? "output_text" : "input_text";
    simdjson::dom::array parts;
    if (std::string_view text; content.get_string().get(text) == simdjson::SUCCESS) {
        form.mark('[');
        form.textPart(textType, text);
        form.mark(']');
    } else if (content.get_array().get(parts) == simdjson::SUCCESS) {
        form.mark('[');
        for (const element part : parts) {
            object fields;
            if (part.get_object().get(fields) == simdjson::SUCCESS)
                form.object(fields, partNoise);
            else
                form.value(part);
        }
        form.mark(']');
    } else {
        form.value(content);
    }
}

// A call is its call id, its name and what it is given; nothing else reaches the tool.
void ItemPrinter::State::writeCall(object item, std::string_view payload, bool blankIsEmptyObject)
{
    form.mark('C');
    for (const std::string_view key : {"type", "call_id", "name", "namespace"})
        writeOptional(member(item, key));
    if (const auto value = member(item, payload))
        writePayload(*value, blankIsEmptyObject);
    else
        form.null();
}

void ItemPrinter::State::writePayload(element payload, bool blankIsEmptyObject)
{
    std::string_view text;
    if (payload.get_string().get(text) != simdjson::SUCCESS) {
        form.mark('V');
        form.value(payload);
        return;
    }
    if (blankIsEmptyObject && isBlank(text))
        text = "{}";
    if (const auto parsed = payloadReader.read(text)) {
        form.mark('J');
        form.value(*parsed);
    } else {
        form.mark('B');
        form.text(text);
    }
}

// The blob is the reasoning; the summary is a courtesy that clients shorten or drop.
void ItemPrinter::State::writeReasoning(object item)
{
    form.mark('R');
    if (const std::string_view blob = stringMember(item, "encrypted_content"); !blob.empty()) {
        form.text(blob);
        return;
    }
    form.object(item, reasoningNoise, true);
    simdjson::dom::array parts;
    const auto content = member(item, "content");
    if (!content || content->is_null())
        return;
    if (content->get_array().get(parts) != simdjson::SUCCESS || parts.size() > 0)
        form.value(*content);
}

void ItemPrinter::State::writeOptional(const std::optional<element> &value)
{
    if (value)
        form.value(*value);
    else
        form.null();
}

ItemPrinter::ItemPrinter(std::uint64_t seed)
    : m_state(std::make_unique<State>(seed))
{
}

ItemPrinter::~ItemPrinter() = default;

ItemPrint ItemPrinter::print(std::string_view item)
{
    const base::Fingerprint raw = base::fingerprint(item, m_state->seed);
    if (const auto known = m_state->seen.find(raw))
        return *known;
    const ItemPrint print = m_state->printAnew(item);
    m_state->seen.insert(raw, print);
    return print;
}

bool ItemPrinter::isExpected(std::string_view item)
{
    const auto root = m_state->reader.read(item);
    object fields;
    const bool expected
        = root && root->get_object().get(fields) == simdjson::SUCCESS && clientEchoes(fields);
    m_state->reader.release();
    return expected;
}

} // namespace headway::heads
