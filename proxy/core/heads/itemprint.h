// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/fingerprint.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace headway::heads {

enum class ItemKind : std::uint8_t {
    UserMessage,
    AssistantMessage,
    SystemMessage, // also developer
    FunctionCall,
    FunctionCallOutput,
    CustomToolCall,
    CustomToolCallOutput,
    Reasoning,
    Other,
};

// One Responses input item in canonical form, as a hash (spec/heads.md section 3).
struct ItemPrint
{
    base::Fingerprint print;
    ItemKind kind = ItemKind::Other;

    friend bool operator==(const ItemPrint &, const ItemPrint &) = default;
};

// Canonical form of items: sorted keys, numbers by value as JavaScript prints them, arguments that
// parse as JSON compared as values, reasoning by its encrypted_content, output-only members (id,
// status, annotations, logprobs …) of echoed items ignored. Keeps a parser and buffers: one per
// thread.
class ItemPrinter final
{
public:
    explicit ItemPrinter(std::uint64_t seed);
    ~ItemPrinter();
    ItemPrinter(const ItemPrinter &) = delete;
    ItemPrinter &operator=(const ItemPrinter &) = delete;

    // `item` is one JSON value. Something that does not parse is printed as its bytes.
    [[nodiscard]] ItemPrint print(std::string_view item);

    // Whether an output item belongs to the expectation: messages without text do not, nor item
    // types the client does not echo.
    [[nodiscard]] bool isExpected(std::string_view item);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::heads
