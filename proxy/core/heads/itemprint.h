// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/fingerprint.h"
#include "proxy/core/heads/callprint.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headway::heads {

enum class ItemKind : std::uint8_t {
    UserMessage,
    AssistantMessage,
    TextlessMessage, // of the assistant: empty, or a refusal
    SystemMessage, // also developer
    FunctionCall,
    FunctionCallOutput,
    CustomToolCall,
    CustomToolCallOutput,
    Reasoning,
    HostedCall, // carried out by the provider: web search, image generation, MCP, compaction …
    Other,
};

// Whether a client may leave an item of its history out: it is the model's own and the provider
// keeps it with the response, so that nothing depends on its coming back.
[[nodiscard]] constexpr bool mayBeMissing(ItemKind kind)
{
    return kind == ItemKind::Reasoning || kind == ItemKind::HostedCall
        || kind == ItemKind::TextlessMessage;
}

// One Responses input item in canonical form, as a hash (spec/heads.md section 3).
struct ItemPrint
{
    base::Fingerprint print; // without tool schemas
    ItemKind kind = ItemKind::Other;
    // What makes it the same item even where it compares unequal (section 9): the blob of a
    // reasoning item; id and name of a call. Zero: nothing does.
    std::uint32_t identity = 0;
    // A function call whose arguments are an object: what it is equal to under tool schemas.
    std::shared_ptr<const CallPrint> call = nullptr;

    [[nodiscard]] base::Fingerprint under(const ToolSchemas *schemas) const
    {
        return call && schemas != nullptr ? call->under(schemas) : print;
    }

    friend bool operator==(const ItemPrint &a, const ItemPrint &b)
    {
        return a.print == b.print && a.kind == b.kind;
    }
};

// Canonical form of items: sorted keys, numbers by value as JavaScript prints them, arguments that
// parse as JSON compared as values, reasoning by its encrypted_content, output-only members (id,
// status, annotations, logprobs …) of echoed items and the sources of a web search ignored. Keeps a
// parser and buffers: one per thread.
class ItemPrinter final
{
public:
    explicit ItemPrinter(std::uint64_t seed);
    ~ItemPrinter();
    ItemPrinter(const ItemPrinter &) = delete;
    ItemPrinter &operator=(const ItemPrinter &) = delete;

    // `item` is one JSON value. Something that does not parse is printed as its bytes. Text that
    // was seen before, byte for byte, costs one pass of a fast hash.
    [[nodiscard]] ItemPrint print(std::string_view item);
    // A whole input.
    [[nodiscard]] std::vector<ItemPrint> prints(std::span<const std::string_view> items);

    // The schemas of a request's `tools` array (JSON text, may be empty), to be compared with the
    // prints of this printer only. The same text gives the same object while anybody holds it or it
    // is among the last 32.
    [[nodiscard]] std::shared_ptr<const ToolSchemas> schemas(std::string_view tools);

    // Whether an output item belongs to the expectation: item types that nobody knows do not.
    [[nodiscard]] bool isExpected(std::string_view item);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::heads
