// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/appearance.h"

#include "ui/format/palette.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

namespace headway::ui {

namespace {

struct Tones
{
    Grounds grounds;
    QRgb alternate;
    QRgb button;
    QRgb text;
    QRgb disabled;
    QRgb placeholder;
    QRgb highlight;
    QRgb highlightedText;
    QRgb link;
    QRgb toolTip;
};

constexpr Tones lightTones{lightGrounds, 0xfff7f8fa, 0xfffbfbfc, 0xff1c2027, 0xff9299a4,
                           0xff5b626d,   0xff0f67b8, 0xffffffff, 0xff0f67b8, 0xffffffff};
constexpr Tones darkTones{darkGrounds, 0xff1c1f25, 0xff2b2f37, 0xffe6e9ee, 0xff6c737e,
                          0xff9aa3af,  0xff2f7fc4, 0xffffffff, 0xff60bbf2, 0xff2b2f37};

QPalette paletteOf(const Tones &tones)
{
    QPalette palette(QColor(tones.button), QColor(tones.grounds.window));
    palette.setColor(QPalette::Base, QColor(tones.grounds.base));
    palette.setColor(QPalette::AlternateBase, QColor(tones.alternate));
    palette.setColor(QPalette::ToolTipBase, QColor(tones.toolTip));
    palette.setColor(QPalette::PlaceholderText, QColor(tones.placeholder));
    palette.setColor(QPalette::Highlight, QColor(tones.highlight));
    palette.setColor(QPalette::HighlightedText, QColor(tones.highlightedText));
    palette.setColor(QPalette::Link, QColor(tones.link));
    palette.setColor(QPalette::LinkVisited, QColor(tones.link));
    for (const auto role :
         {QPalette::Text, QPalette::WindowText, QPalette::ButtonText, QPalette::ToolTipText})
    {
        palette.setColor(role, QColor(tones.text));
        palette.setColor(QPalette::Disabled, role, QColor(tones.disabled));
    }
    return palette;
}

QColor blend(const QColor &a, const QColor &b, double share)
{
    const auto mix
        = [share](int x, int y) { return static_cast<int>(x * (1 - share) + y * share); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

QColor color(Meaning meaning, const QPalette &palette)
{
    return color(meaning, isDark(palette));
}

QPalette lightPalette()
{
    return paletteOf(lightTones);
}

QPalette darkPalette()
{
    return paletteOf(darkTones);
}

void applyAppearance(Appearance appearance)
{
    if (QApplication::style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0
        && appearance != Appearance::System)
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (appearance != Appearance::System)
        QApplication::setPalette(appearance == Appearance::Dark ? darkPalette() : lightPalette());
}

QFont smaller(QFont font)
{
    font.setPointSizeF(font.pointSizeF() * 0.88);
    return font;
}

QFont bolder(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont larger(QFont font, double factor)
{
    font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

QColor secondary(const QPalette &palette)
{
    return blend(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.33);
}

QPalette inked(QPalette palette, const QColor &ink)
{
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, ink);
    return palette;
}

QString choiceButtonStyle()
{
    return QStringLiteral(
        "QToolButton { border: 1px solid rgba(128, 128, 128, 128); border-radius: 4px; padding: "
        "2px 9px; }"
        "QToolButton:checked { background: palette(highlight); color: palette(highlighted-text); }"
        "QToolButton:hover:!checked { background: palette(button); }"
        "QToolButton:focus { border-color: palette(highlight); }");
}

QColor hairline(const QPalette &palette)
{
    return blend(palette.color(QPalette::WindowText), palette.color(QPalette::Base), 0.86);
}

} // namespace headway::ui
