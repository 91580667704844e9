// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/tokenestimate.h"

#include "proxy/core/dialects/tokencosts.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace headway::dialects {

namespace {

using namespace cost; // NOLINT(google-build-using-namespace): names of this file's own tables

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

bool isLetter(Class kind)
{
    return kind == Class::Lower || kind == Class::Upper;
}

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
        const double eastern = m_foreignWords > 0
            ? static_cast<double>(m_easternWords) / static_cast<double>(m_foreignWords)
            : 0;
        const double traditionalShare = m_han > 0
            ? std::min(1.0,
                       traditionalSigns * static_cast<double>(m_traditional)
                           / static_cast<double>(m_han))
            : 0;
        return m_tokens
            + foreign * (foreignLetter + eastern * easternLetter)
            * static_cast<double>(m_longLetters)
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
        const Words &words = wordsAfter(m_at);
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
        letters += takeContraction();
        const bool isCapital = upper > 1;
        const bool isShouted = isCapital && m_capitals && &words == &afterSpace;
        m_capitals = isCapital;
        const Letters &table = isCapital && !isShouted ? words.capitals : words.plain;
        const std::size_t known = std::min(letters, table.size() - 1);
        m_tokens += table[known] + static_cast<double>(letters - known) * longWordLetter;
        ++m_words;
        m_longLetters += letters > 4 ? letters - 4 : 0;
    }

    // A space or a mark in front of a word is part of its piece, unless it ends a longer run of
    // marks; what cannot lead is a piece of its own.
    const Words &wordsAfter(std::size_t begin) const
    {
        if (begin == 0)
            return bare;
        const char lead = m_text[begin - 1];
        if (lead == ' ')
            return afterSpace;
        const bool leads = lead == '\t' || (classOf(lead) == Class::Mark && m_leads);
        return leads ? afterMark : bare;
    }

    // "'s", "n't": part of the word's piece. Its letters.
    std::size_t takeContraction()
    {
        if (m_at >= m_text.size() || m_text[m_at] != '\'')
            return 0;
        std::size_t letters = 0;
        while (letters < 3 && isLetter(at(m_at + 1 + letters)))
            ++letters;
        if (letters == 0 || letters > 2)
            return 0;
        m_at += 1 + letters;
        return letters;
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
        double rules = 0; // tokens of lines drawn with one mark
        std::size_t others = 0;
        while (at(m_at) == Class::Mark) {
            const std::size_t begin = m_at;
            while (m_at < m_text.size() && m_text[m_at] == m_text[begin])
                ++m_at;
            if (m_at - begin > longestDrawn)
                rules += 1 + static_cast<double>(m_at - begin) * repeatedMark;
            else
                others += m_at - begin;
        }
        const std::size_t length = m_at - from;
        while (at(m_at) == Class::LineEnd) // line ends behind marks are part of their piece
            ++m_at;
        const Class next = at(m_at);
        // After a space it is not the first of its piece.
        m_leads = length == 1 && m_at == from + 1 && m_at < m_text.size() && isLetter(next)
            && (from == 0 || m_text[from - 1] != ' ');
        if (m_leads)
            return;
        const std::size_t known = std::min(others, marks.size() - 1);
        m_tokens += rules + marks[known] + static_cast<double>(others - known) * furtherMark;
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
            m_easternWords += script->first == firstEastern ? 1U : 0U;
            m_words += inWord ? 0 : 1;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_noBlobUntil = 0;
    double m_tokens = 0;
    char32_t m_symbol = 0; // just read
    bool m_capitals = false; // so was the word before: a passage in capitals, and words in it
    bool m_leads = false; // the mark just read is part of the word behind it
    bool m_inWord = false; // the byte before belongs to a word that is not ASCII
    std::size_t m_words = 0;
    std::size_t m_foreignWords = 0;
    std::size_t m_easternWords = 0;
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
