// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::json {

// JSON as slices of the text it was read from: nothing is copied or converted, so what a client
// sent can be spliced into what goes upstream byte for byte (order, numbers of any size, escapes).
// simdjson's On-Demand front end does not check what it skips, and a slice that was never checked
// must not be spliced into a frame; here the whole text is checked once, and every fault has the
// byte it stands at.

enum class Kind : std::uint8_t { Missing, Null, Boolean, Number, String, Array, Object };

struct Fault
{
    std::size_t offset = 0;
    std::string_view what; // static text

    friend bool operator==(const Fault &, const Fault &) = default;
};

// Deeper nesting is refused (spec/safety.md).
inline constexpr int depthLimit = 512;

class Document;

// One value of a Document, or a missing one; every question to a missing value has an empty answer.
// Valid until the document reads again.
class Value final
{
public:
    Value() = default;

    [[nodiscard]] bool exists() const { return m_document != nullptr; }
    [[nodiscard]] Kind kind() const;
    [[nodiscard]] bool isNull() const { return kind() == Kind::Null; }
    [[nodiscard]] bool isString() const { return kind() == Kind::String; }
    [[nodiscard]] bool isArray() const { return kind() == Kind::Array; }
    [[nodiscard]] bool isObject() const { return kind() == Kind::Object; }

    [[nodiscard]] std::string_view raw() const; // the bytes of the value
    [[nodiscard]] std::string_view
    body() const; // a string literal without its quotes, still escaped
    [[nodiscard]] std::string text() const; // a string, unescaped
    [[nodiscard]] bool is(std::string_view text) const; // a string equal to this text
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<std::int64_t> integer() const; // no fraction, no exponent, in range
    [[nodiscard]] std::optional<double> number() const; // within a double's range, at both ends

    [[nodiscard]] std::string_view keyBody() const; // name of a member, still escaped
    [[nodiscard]] std::string key() const; // unescaped
    [[nodiscard]] bool keyIs(std::string_view name) const;
    [[nodiscard]] std::size_t offset() const; // of the first byte, in the document's text

    // The member of an object; the last one where a name stands twice, as in JavaScript.
    [[nodiscard]] Value operator[](std::string_view name) const;
    [[nodiscard]] Value first() const; // element or member; missing when there is none
    [[nodiscard]] Value next() const; // sibling; missing at the end

    class Iterator;
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;

private:
    friend class Document;
    Value(const Document *document, std::uint32_t index, std::uint32_t parentEnd)
        : m_document(document)
        , m_index(index)
        , m_parentEnd(parentEnd)
    {
    }

    const Document *m_document = nullptr;
    std::uint32_t m_index = 0;
    std::uint32_t m_parentEnd = 0;
};

class Value::Iterator final
{
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value *;
    using reference = const Value &;

    Iterator() = default;
    explicit Iterator(Value value)
        : m_value(value)
    {
    }
    const Value &operator*() const { return m_value; }
    const Value *operator->() const { return &m_value; }
    Iterator &operator++()
    {
        m_value = m_value.next();
        return *this;
    }
    Iterator operator++(int)
    {
        const Iterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Iterator &other) const
    {
        return m_value.m_document == other.m_value.m_document
            && m_value.m_index == other.m_value.m_index;
    }

private:
    Value m_value;
};

// One pass over a text, kept as a flat list of slices whose memory is reused by the next read.
class Document final
{
public:
    // The text is not copied: it must outlive the use of the values. At most 4 GiB. On a fault the
    // document is empty.
    [[nodiscard]] std::optional<Fault> read(std::string_view text);

    [[nodiscard]] Value root() const;
    [[nodiscard]] std::string_view text() const { return m_text; }

private:
    friend class Value;
    friend class Reader;

    struct Node
    {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t keyBegin = 0; // body of the name
        std::uint32_t keyEnd = 0;
        std::uint32_t next = 0; // node after this value and all that is inside it
        Kind kind = Kind::Missing;
    };

    std::string_view m_text;
    std::vector<Node> m_nodes;
};

} // namespace headway::json
