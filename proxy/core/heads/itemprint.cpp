// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/itemprint.h"

#include "proxy/core/heads/argumenthasher.h"
#include "proxy/core/heads/canonical.h"
#include "proxy/core/heads/itemshape.h"
#include "proxy/core/heads/jsonreader.h"
#include "proxy/core/heads/schemashelf.h"
#include "proxy/core/heads/seenbefore.h"

#include <array>
#include <span>
#include <string>

namespace headway::heads {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// What a message is printed from by hand, then members that the server sets on output items or that
// clients add for themselves: an echo comes with or without those. Last what a hosted call is
// printed from by hand.
constexpr std::array<std::string_view, 12> leftOut{"type",
                                                   "role",
                                                   "content",
                                                   "id",
                                                   "status",
                                                   "phase",
                                                   "annotations",
                                                   "logprobs",
                                                   "metadata",
                                                   "internal_metadata",
                                                   "internal_chat_message_metadata_passthrough",
                                                   "action"};
constexpr std::span messageMembers = std::span(leftOut).first<11>();
constexpr std::span serverMembers = messageMembers.subspan<3>();
constexpr std::span hostedMembers = std::span(leftOut).subspan<3>();
constexpr std::array<std::string_view, 2> partNoise{"annotations", "logprobs"};
constexpr std::array<std::string_view, 1> actionNoise{"sources"};
constexpr std::array<std::string_view, 3> reasoningNoise{"id", "status", "content"};

// An item that refers to what the provider keeps: nothing else tells it from the next one.
bool tellsItsIdOnly(object item)
{
    for (const auto [key, value] : item) {
        simdjson::dom::array parts;
        const bool isEmpty = value.is_null()
            || (value.get_array().get(parts) == simdjson::SUCCESS && parts.size() == 0);
        if (key != "id" && key != "type" && key != "status" && !isEmpty)
            return false;
    }
    return true;
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

struct ItemPrinter::State
{
    explicit State(std::uint64_t hashSeed)
        : seed(hashSeed)
        , hasher(hashSeed)
        , shelf(hashSeed)
    {
    }

    [[nodiscard]] ItemPrint printAnew(std::string_view item);
    void write(object item, ItemPrint &print);
    void writeMessage(object item);
    void writeContent(element content, std::string_view role);
    void writeFunctionCall(object item, ItemPrint &print);
    void writeCustomCall(object item, ItemPrint &print);
    void writeIdentity(object item, ItemPrint &print);
    void writePayload(element payload, bool blankIsEmptyObject);
    void writeReasoning(object item, ItemPrint &print);
    void writeHosted(object item);
    void writeOptional(const std::optional<element> &value);

    std::uint64_t seed;
    JsonReader reader;
    JsonReader payloadReader;
    CanonicalForm form;
    ArgumentHasher hasher;
    SchemaShelf shelf;
    SeenBefore seen;
};

ItemPrint ItemPrinter::State::printAnew(std::string_view item)
{
    ItemPrint print;
    form.clear();
    if (const auto root = reader.read(item)) {
        object fields;
        if (root->get_object().get(fields) == simdjson::SUCCESS)
            write(fields, print);
        else
            form.value(*root);
    } else {
        form.mark('X');
        form.text(item);
    }
    print.print = print.call ? print.call->plain() : base::fingerprint(form.bytes(), seed);
    form.release();
    reader.release();
    payloadReader.release();
    return print;
}

void ItemPrinter::State::write(object item, ItemPrint &print)
{
    const std::string_view type = typeOf(item);
    print.kind = kindOf(item, type);
    if (type == "message")
        writeMessage(item);
    else if (print.kind == ItemKind::FunctionCall)
        writeFunctionCall(item, print);
    else if (print.kind == ItemKind::CustomToolCall)
        writeCustomCall(item, print);
    else if (print.kind == ItemKind::Reasoning)
        writeReasoning(item, print);
    else if (print.kind == ItemKind::HostedCall)
        writeHosted(item);
    else if (type == "item_reference")
        form.object(item, {}, true); // here the id is the item
    else
        form.object(item, serverMembers, true);
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
void ItemPrinter::State::writeIdentity(object item, ItemPrint &print)
{
    form.mark('C');
    for (const std::string_view key : {"type", "call_id", "name", "namespace"})
        writeOptional(member(item, key));
    print.identity = static_cast<std::uint32_t>(base::fingerprint(form.bytes(), seed).low) | 1U;
}

void ItemPrinter::State::writeFunctionCall(object item, ItemPrint &print)
{
    writeIdentity(item, print);
    const auto payload = member(item, "arguments");
    if (!payload) {
        form.null();
        return;
    }
    std::string_view text;
    if (payload->get_string().get(text) == simdjson::SUCCESS) {
        const auto parsed = payloadReader.read(isBlank(text) ? "{}" : text);
        if (parsed && parsed->is_object()) {
            print.call = std::make_shared<const CallPrint>(
                base::fingerprint(form.bytes(), seed),
                ToolSchemas::toolKey(stringMember(item, "namespace"), stringMember(item, "name"),
                                     seed),
                hasher.flatten(*parsed), seed);
            return;
        }
    }
    writePayload(*payload, true);
}

void ItemPrinter::State::writeCustomCall(object item, ItemPrint &print)
{
    writeIdentity(item, print);
    if (const auto payload = member(item, "input"))
        writePayload(*payload, false);
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
void ItemPrinter::State::writeReasoning(object item, ItemPrint &print)
{
    form.mark('R');
    if (const std::string_view blob = stringMember(item, "encrypted_content"); !blob.empty()) {
        print.identity = static_cast<std::uint32_t>(base::fingerprint(blob, seed).low) | 1U;
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

// What was asked for. The sources of a search are told on request only and not sent back by all.
void ItemPrinter::State::writeHosted(object item)
{
    form.mark('H');
    if (tellsItsIdOnly(item))
        form.text(stringMember(item, "id"));
    form.object(item, hostedMembers, true);
    object fields;
    const auto action = member(item, "action");
    if (action && action->get_object().get(fields) == simdjson::SUCCESS)
        form.object(fields, actionNoise, true);
    else
        writeOptional(action);
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

std::vector<ItemPrint> ItemPrinter::prints(std::span<const std::string_view> items)
{
    std::vector<ItemPrint> prints;
    prints.reserve(items.size());
    for (const std::string_view item : items)
        prints.push_back(print(item));
    return prints;
}

std::shared_ptr<const ToolSchemas> ItemPrinter::schemas(std::string_view tools)
{
    return m_state->shelf.find(tools);
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
