// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <array>
#include <cstddef>

class QPalette;

namespace headway::ui {

// spec/window.md, last table: what a colour means. Colour is the third sign, after glyph and word.
enum class Meaning { Active, Waiting, Failed, Limit, Done };

struct Sign
{
    Meaning meaning;
    char16_t glyph;
    QRgb light; // on light grounds
    QRgb dark; // on dark grounds
};

inline constexpr std::array signs{
    Sign{Meaning::Active, u'▶', 0xff1b8aeb, 0xff60bbf2},
    Sign{Meaning::Waiting, u'◐', 0xffa88300, 0xfffab411},
    Sign{Meaning::Failed, u'✕', 0xff882e24, 0xffe2573a},
    Sign{Meaning::Limit, u'◆', 0xff5f0480, 0xffcf19ff},
    Sign{Meaning::Done, u'✓', 0xff666d79, 0xff7a868f},
};

// Second glyphs of the same table.
inline constexpr char16_t warningGlyph = u'▲';
inline constexpr char16_t idleGlyph = u'–';

// The grounds the signs stand on: windows and charts of the two appearances.
struct Grounds
{
    QRgb window;
    QRgb base;
};
inline constexpr Grounds lightGrounds{0xfff3f4f7, 0xffffffff};
inline constexpr Grounds darkGrounds{0xff1e2127, 0xff17191e};

// Text on a ground of the colour Limit.
inline constexpr QRgb inkOnLimitLight = 0xffffffff;
inline constexpr QRgb inkOnLimitDark = 0xff000000;

[[nodiscard]] constexpr const Sign &sign(Meaning meaning)
{
    return signs.at(static_cast<std::size_t>(meaning));
}

[[nodiscard]] inline QColor color(Meaning meaning, bool dark)
{
    return QColor(dark ? sign(meaning).dark : sign(meaning).light);
}

[[nodiscard]] bool isDark(const QPalette &palette);
[[nodiscard]] QColor color(Meaning meaning, const QPalette &palette);

} // namespace headway::ui
