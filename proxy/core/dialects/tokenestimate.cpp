// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/tokenestimate.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace headway::dialects {

namespace {

// Mean tokens of an ASCII word by its letters, and of one with two capitals or more.
constexpr std::array<double, 15> word{0,    1,    1,    1.02, 1.03, 1.05, 1.06, 1.08,
                                      1.14, 1.30, 1.30, 1.35, 1.50, 1.80, 2.10};
constexpr std::array<double, 15> capitals{0,   1,   1.05, 1.25, 1.40, 1.60, 1.70, 1.75,
                                          2.0, 2.2, 2.3,  2.6,  2.8,  3.2,  3.4};
constexpr double longWordLetter = 0.2; // each letter beyond the tables
// Runs of ASCII marks.
constexpr std::array<double, 7> marks{0, 1, 1.03, 1.10, 1.45, 2.0, 2.5};
constexpr double furtherMark = 0.33;
constexpr double repeatedMark = 0.03; // lines of dashes and the like have tokens of their own

constexpr std::size_t blobLength = 16; // shorter runs cost about what words cost
constexpr double blobChanges = 0.42; // changes of class per byte in random text, at least
constexpr double base64Byte = 0.67;
constexpr double hexByte = 0.57;
// Words of Latin languages other than English, once diacritics show that it is one.
constexpr double foreignLetter = 0.11;
constexpr double foreignRest = 0.2; // a letter behind one with a diacritic
// Han letters of traditional Chinese, once letters that only it has show that it is one.
constexpr double traditionalLetter = 0.17;
constexpr double traditionalSigns = 10; // of so many letters one is enough of a sign
constexpr double repeatedSymbol = 0.25; // rules drawn with box characters

enum class Class : unsigned char { Lower, Upper, Digit, Space, LineEnd, Mark, Other };

constexpr Class classOfByte(char c)
{
    if (c >= 'a' && c <= 'z')
        return Class::Lower;
    if (c >= 'A' && c <= 'Z')
        return Class::Upper;
    if (c >= '0' && c <= '9')
        return Class::Digit;
    if (c == '\n' || c == '\r')
        return Class::LineEnd;
    if (c == ' ' || c == '\t' || c == '\v' || c == '\f')
        return Class::Space;
    return static_cast<unsigned char>(c) < 0x80U ? Class::Mark : Class::Other;
}

constexpr std::array<Class, 256> makeClasses()
{
    std::array<Class, 256> classes{};
    for (std::size_t i = 0; i < classes.size(); ++i)
        classes[i] = classOfByte(static_cast<char>(i));
    return classes;
}

constexpr std::array<Class, 256> classes = makeClasses();

Class classOf(char c)
{
    return classes[static_cast<unsigned char>(c)];
}

bool isAlnum(Class kind)
{
    return kind == Class::Lower || kind == Class::Upper || kind == Class::Digit;
}

struct Script
{
    char32_t first;
    char32_t last;
    double letter; // tokens of one letter
    double start; // tokens of a word beside its letters
};

constexpr char32_t firstHan = 0x3400;

// Tokens per letter by script; measured as above.
constexpr std::array<Script, 15> scripts{{
    {0x00C0, 0x024F, 0.40, 0.35}, // Latin with diacritics
    {0x0250, 0x036F, 0.8, 0},
    {0x0370, 0x03FF, 0.37, 0.2}, // Greek
    {0x0400, 0x052F, 0.26, 0.35}, // Cyrillic
    {0x0590, 0x05FF, 0.46, 0.2}, // Hebrew
    {0x0600, 0x06FF, 0.36, 0.15}, // Arabic
    {0x0900, 0x0DFF, 0.66, 0}, // Indic
    {0x0E00, 0x0E7F, 0.58, 0}, // Thai
    {0x1100, 0x11FF, 0.7, 0},
    {0x1E00, 0x1EFF, 0.40, 0.35},
    {0x3040, 0x30FF, 0.58, 0}, // kana
    {firstHan, 0x9FFF, 0.70, 0}, // Han
    {0xAC00, 0xD7AF, 0.66, 0}, // Hangul
    {0xF900, 0xFAFF, 0.9, 0},
    {0x20000, 0x3FFFF, 1.5, 0},
}};

// Frequent letters of traditional Chinese that neither simplified Chinese nor Japanese writes.
constexpr std::array<char32_t, 51> traditional{
    0x4F86, 0x5011, 0x50B3, 0x5169, 0x5340, 0x53C3, 0x555F, 0x55AE, 0x55CE, 0x570B, 0x5B78,
    0x5BE6, 0x5BEB, 0x5C07, 0x5C0D, 0x5F9E, 0x61C9, 0x6236, 0x64DA, 0x6578, 0x6703, 0x689D,
    0x6A23, 0x6A94, 0x6AA2, 0x6B0A, 0x6C92, 0x70BA, 0x7576, 0x767C, 0x7D66, 0x7E3D, 0x807D,
    0x8207, 0x8655, 0x865F, 0x88E1, 0x89BA, 0x8A0A, 0x8AAA, 0x8B8A, 0x8B93, 0x8F49, 0x9019,
    0x9084, 0x908A, 0x9304, 0x95DC, 0x9AD4, 0x9EBC, 0x9EDE};

const Script *scriptOf(char32_t code)
{
    const auto *const found = std::find_if(scripts.begin(), scripts.end(), [code](const Script &s) {
        return code >= s.first && code <= s.last;
    });
    return found == scripts.end() ? nullptr : found;
}

class Estimator final
{
public:
    explicit Estimator(std::string_view text)
        : m_text(text)
    {
    }

    double run()
    {
        while (m_at < m_text.size())
            step();
        // A text with many diacritics is not English, and its plain words are not either.
        const double foreign = m_words > 0
            ? std::min(1.0, 6 * static_cast<double>(m_foreignWords) / static_cast<double>(m_words))
            : 0;
        const double traditionalShare = m_han > 0
            ? std::min(1.0,
                       traditionalSigns * static_cast<double>(m_traditional)
                           / static_cast<double>(m_han))
            : 0;
        return m_tokens + foreign * foreignLetter * static_cast<double>(m_longLetters)
            + traditionalShare * traditionalLetter * static_cast<double>(m_han);
    }

private:
    Class at(std::size_t i) const { return i < m_text.size() ? classOf(m_text[i]) : Class::Space; }

    void step()
    {
        switch (classOf(m_text[m_at])) {
        case Class::Lower:
        case Class::Upper:
        case Class::Digit:
            if (m_at < m_noBlobUntil || !takeBlob())
                takeWord();
            return;
        case Class::Space:
            takeSpace();
            return;
        case Class::LineEnd:
            while (at(m_at) == Class::LineEnd)
                ++m_at;
            m_tokens += 1;
            return;
        case Class::Mark:
            takeMarks();
            return;
        case Class::Other:
            takeOther();
            return;
        }
    }

    // base64, hexadecimal and the like: no words in it.
    bool takeBlob()
    {
        std::size_t end = m_at;
        std::size_t changes = 0;
        bool hex = true;
        Class last = Class::Space;
        while (end < m_text.size()) {
            const char c = m_text[end];
            const Class kind = classOf(c);
            if (kind == Class::Mark && c != '+' && c != '/' && c != '=' && c != '-' && c != '_')
                break;
            if (kind == Class::Space || kind == Class::LineEnd || kind == Class::Other)
                break;
            if (kind != Class::Mark && kind != last) {
                changes += last == Class::Space ? 0 : 1;
                last = kind;
            }
            hex = hex && kind != Class::Upper && (kind != Class::Lower || c <= 'f');
            ++end;
            if (end == m_at + 4 * blobLength
                && static_cast<double>(changes) < blobChanges * 4 * blobLength)
                break;
        }
        const std::size_t length = end - m_at;
        if (length < blobLength
            || static_cast<double>(changes) < blobChanges * static_cast<double>(length)) {
            m_noBlobUntil = end; // words and paths are looked at once
            return false;
        }
        m_tokens += static_cast<double>(length) * (hex ? hexByte : base64Byte);
        m_at = end;
        return true;
    }

    void takeWord()
    {
        if (at(m_at) == Class::Digit) {
            std::size_t digits = 0;
            while (at(m_at) == Class::Digit)
                ++m_at, ++digits;
            m_tokens += static_cast<double>((digits + 2) / 3);
            return;
        }
        std::size_t upper = 0;
        while (at(m_at) == Class::Upper)
            ++m_at, ++upper;
        std::size_t letters = upper;
        while (at(m_at) == Class::Lower)
            ++m_at, ++letters;
        if (m_inWord) { // the rest of a word with diacritics
            m_tokens += static_cast<double>(letters) * foreignRest;
            m_inWord = at(m_at) == Class::Other;
            return;
        }
        const auto &table = upper > 1 ? capitals : word;
        const std::size_t known = std::min(letters, table.size() - 1);
        m_tokens += table[known] + static_cast<double>(letters - known) * longWordLetter;
        ++m_words;
        m_longLetters += letters > 4 ? letters - 4 : 0;
    }

    void takeSpace()
    {
        std::size_t length = 0;
        while (at(m_at) == Class::Space && m_at < m_text.size())
            ++m_at, ++length;
        const bool end = m_at == m_text.size();
        const Class next = at(m_at);
        if (!end && next == Class::LineEnd)
            return; // belongs to the line end
        // The last space belongs to the word or mark behind it, not to a digit.
        if (length > 1 || end || next == Class::Digit)
            m_tokens += length > 1 && next == Class::Digit ? 2 : 1;
    }

    void takeMarks()
    {
        const std::size_t from = m_at;
        bool same = true;
        while (at(m_at) == Class::Mark) {
            same = same && m_text[m_at] == m_text[from];
            ++m_at;
        }
        const std::size_t length = m_at - from;
        while (at(m_at) == Class::LineEnd) // line ends behind marks are part of their piece
            ++m_at;
        const Class next = at(m_at);
        const bool leadsWord = length == 1 && m_at == from + 1 && m_at < m_text.size()
            && (next == Class::Lower || next == Class::Upper);
        if (leadsWord) {
            // ".name", "(name": one token with the word about every other time.
            m_tokens += 0.5;
        } else if (same && length > 3) {
            m_tokens += 1 + static_cast<double>(length) * repeatedMark;
        } else {
            const std::size_t known = std::min(length, marks.size() - 1);
            m_tokens += marks[known] + static_cast<double>(length - known) * furtherMark;
        }
    }

    char32_t takeCode()
    {
        const auto lead = static_cast<unsigned char>(m_text[m_at]);
        const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC0U ? 2 : 1;
        char32_t code = length == 4 ? lead & 0x07U : length == 3 ? lead & 0x0FU : lead & 0x1FU;
        for (std::size_t i = 1; i < length && m_at + i < m_text.size(); ++i)
            code = (code << 6U) | (static_cast<unsigned char>(m_text[m_at + i]) & 0x3FU);
        m_at = std::min(m_at + length, m_text.size());
        return code;
    }

    void takeOther()
    {
        const bool inWord = m_at > 0
            && (m_inWord || at(m_at - 1) == Class::Lower || at(m_at - 1) == Class::Upper);
        const char32_t code = takeCode();
        const Script *const script = scriptOf(code);
        if (script == nullptr) { // marks, symbols, emoji
            m_tokens += code == m_symbol ? repeatedSymbol : code > 0xFFFF ? 1.5 : 1;
            m_symbol = code;
            m_inWord = false;
            return;
        }
        m_tokens += script->letter + (inWord ? 0 : script->start);
        if (script->first == firstHan) {
            ++m_han;
            m_traditional
                += std::binary_search(traditional.begin(), traditional.end(), code) ? 1U : 0U;
        }
        const bool isLatin = code < 0x250 || (code >= 0x1E00 && code < 0x1F00);
        m_symbol = 0;
        m_inWord = at(m_at) == Class::Other || (isLatin && isAlnum(at(m_at)));
        if (isLatin) {
            ++m_foreignWords;
            m_words += inWord ? 0 : 1;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_noBlobUntil = 0;
    double m_tokens = 0;
    char32_t m_symbol = 0; // just read
    bool m_inWord = false; // the byte before belongs to a word that is not ASCII
    std::size_t m_words = 0;
    std::size_t m_foreignWords = 0;
    std::size_t m_han = 0;
    std::size_t m_traditional = 0;
    std::size_t m_longLetters = 0; // letters of ASCII words beyond four each
};

} // namespace

double estimateTokens(std::string_view utf8)
{
    return Estimator(utf8).run();
}

} // namespace headway::dialects
