// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

// What pieces of text cost under o200k on average (tokenestimate.h says over what they were
// measured).
namespace headway::dialects::cost {

// Mean tokens of an ASCII word by its letters, with what leads it: a space is most often part of
// the word's own token, a mark or a tab ("(name", "-option") seldom is, and a word that nothing
// leads is the rest of a longer name.
using Letters = std::array<double, 16>;
struct Words
{
    Letters plain;
    Letters capitals; // two or more
};
inline constexpr Words bare{
    {0, 1, 1.01, 1.07, 1.07, 1.11, 1.14, 1.25, 1.26, 1.28, 1.55, 1.62, 1.70, 1.90, 2.20, 2.40},
    {0, 1, 1, 1.20, 1.38, 1.85, 1.90, 2.25, 2.20, 2.30, 2.80, 2.95, 3.10, 3.30, 3.60, 3.80}};
inline constexpr Words afterSpace{
    {0, 1, 1, 1.03, 1.02, 1.05, 1.07, 1.12, 1.17, 1.17, 1.21, 1.36, 1.36, 1.38, 1.50, 1.80},
    {0, 1, 1.01, 1.15, 1.32, 1.52, 1.70, 1.40, 1.50, 1.90, 1.80, 2.30, 2.40, 2.50, 2.70, 2.90}};
inline constexpr Words afterMark{
    {0, 1.07, 1.40, 1.26, 1.26, 1.23, 1.28, 1.55, 1.62, 1.88, 1.92, 2.30, 2.40, 2.75, 2.90, 3.40},
    {0, 1.20, 1.45, 1.50, 1.50, 1.70, 1.76, 1.93, 2.15, 2.70, 2.75, 2.95, 3.40, 3.40, 3.80, 4.20}};
inline constexpr double longWordLetter = 0.2; // each letter beyond the tables
// Runs of ASCII marks.
inline constexpr std::array<double, 9> marks{0, 1, 1.01, 1.24, 1.60, 2.15, 2.5, 3.2, 4.2};
inline constexpr double furtherMark = 0.45;
inline constexpr std::size_t longestDrawn = 3;
inline constexpr double repeatedMark
    = 0.03; // lines of dashes and the like have tokens of their own

inline constexpr std::size_t blobLength = 16; // shorter runs cost about what words cost
inline constexpr double blobChanges = 0.42; // changes of class per byte in random text, at least
inline constexpr double base64Byte = 0.67;
inline constexpr double hexByte = 0.57;
// Words of Latin languages other than English, once diacritics show that it is one.
inline constexpr double foreignLetter = 0.13;
inline constexpr double easternLetter = 0.12; // more, where they are those of the east
inline constexpr double foreignRest = 0.2; // a letter behind one with a diacritic
// Han letters of traditional Chinese, once letters that only it has show that it is one.
inline constexpr double traditionalLetter = 0.22;
inline constexpr double traditionalSigns = 10; // of so many letters one is enough of a sign
inline constexpr double repeatedSymbol = 0.25; // rules drawn with box characters

struct Script
{
    char32_t first;
    char32_t last;
    double letter; // tokens of one letter
    double start; // tokens of a word beside its letters
};

inline constexpr char32_t firstHan = 0x3400;
inline constexpr char32_t firstEastern = 0x0100;

// Tokens per letter by script; measured as above.
inline constexpr std::array<Script, 16> scripts{{
    {0x00C0, 0x00FF, 0.18, 0.10}, // Latin with diacritics: of the west
    {firstEastern, 0x024F, 0.55, 0.50}, // … of the east
    {0x0250, 0x036F, 0.8, 0},
    {0x0370, 0x03FF, 0.37, 0.2}, // Greek
    {0x0400, 0x052F, 0.23, 0.31}, // Cyrillic
    {0x0590, 0x05FF, 0.46, 0.2}, // Hebrew
    {0x0600, 0x06FF, 0.36, 0.15}, // Arabic
    {0x0900, 0x0DFF, 0.66, 0}, // Indic
    {0x0E00, 0x0E7F, 0.58, 0}, // Thai
    {0x1100, 0x11FF, 0.7, 0},
    {0x1E00, 0x1EFF, 0.40, 0.35},
    {0x3040, 0x30FF, 0.68, 0}, // kana
    {firstHan, 0x9FFF, 0.70, 0}, // Han
    {0xAC00, 0xD7AF, 0.74, 0}, // Hangul
    {0xF900, 0xFAFF, 0.9, 0},
    {0x20000, 0x3FFFF, 1.5, 0},
}};

// Frequent letters of traditional Chinese that neither simplified Chinese nor Japanese writes.
inline constexpr std::array<char32_t, 51> traditional{
    0x4F86, 0x5011, 0x50B3, 0x5169, 0x5340, 0x53C3, 0x555F, 0x55AE, 0x55CE, 0x570B, 0x5B78,
    0x5BE6, 0x5BEB, 0x5C07, 0x5C0D, 0x5F9E, 0x61C9, 0x6236, 0x64DA, 0x6578, 0x6703, 0x689D,
    0x6A23, 0x6A94, 0x6AA2, 0x6B0A, 0x6C92, 0x70BA, 0x7576, 0x767C, 0x7D66, 0x7E3D, 0x807D,
    0x8207, 0x8655, 0x865F, 0x88E1, 0x89BA, 0x8A0A, 0x8AAA, 0x8B8A, 0x8B93, 0x8F49, 0x9019,
    0x9084, 0x908A, 0x9304, 0x95DC, 0x9AD4, 0x9EBC, 0x9EDE};

} // namespace headway::dialects::cost
