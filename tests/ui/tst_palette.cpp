// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/palette.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace headway::ui;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
constexpr Matrix protan{{{0.152286, 1.052583, -0.204868},
                         {0.114503, 0.786281, 0.099216},
                         {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deutan{{{0.367322, 0.860646, -0.227968},
                         {0.280085, 0.672501, 0.047413},
                         {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritan{{{1.255528, -0.076749, -0.178779},
                         {-0.078411, 0.930809, 0.147602},
                         {0.004733, 0.691367, 0.303900}}};
// IEC 61966-2-1: linear RGB to XYZ, D65.
constexpr Matrix toXyz{{{0.4124564, 0.3575761, 0.1804375},
                        {0.2126729, 0.7151522, 0.0721750},
                        {0.0193339, 0.1191920, 0.9503041}}};

Triple linear(QRgb rgb)
{
    const auto one = [](int channel) {
        const double v = channel / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return {one(qRed(rgb)), one(qGreen(rgb)), one(qBlue(rgb))};
}

Triple times(const Matrix &matrix, const Triple &v)
{
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        result[row] = matrix[row][0] * v[0] + matrix[row][1] * v[1] + matrix[row][2] * v[2];
    return result;
}

// CIE 1976 L*a*b*.
Triple lab(Triple rgb)
{
    for (double &channel : rgb)
        channel = std::clamp(channel, 0.0, 1.0);
    const Triple xyz = times(toXyz, rgb);
    const auto f = [](double t) {
        constexpr double limit = 6.0 / 29.0;
        return t > limit * limit * limit ? std::cbrt(t) : t / (3 * limit * limit) + 4.0 / 29.0;
    };
    const double x = f(xyz[0] / 0.95047);
    const double y = f(xyz[1]);
    const double z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Triple &a, const Triple &b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// WCAG 2.1, relative luminance and contrast ratio.
double contrast(QRgb a, QRgb b)
{
    const double first = times(toXyz, linear(a))[1] + 0.05;
    const double second = times(toXyz, linear(b))[1] + 0.05;
    return std::max(first, second) / std::min(first, second);
}

} // namespace

class PaletteTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasTheColoursAndGlyphsOfTheSpecification();
    void standsOutFromEveryGroundByThreeToOne();
    void textOnTheGroundOfALimitIsReadable();
    void staysApartUnderEachColourVisionDeficiency_data();
    void staysApartUnderEachColourVisionDeficiency();
};

void PaletteTest::hasTheColoursAndGlyphsOfTheSpecification()
{
    // spec/window.md, last table.
    const std::array rows{Sign{Meaning::Active, u'▶', 0xff1B8AEB, 0xff60BBF2},
                          Sign{Meaning::Waiting, u'◐', 0xffA88300, 0xffFAB411},
                          Sign{Meaning::Failed, u'✕', 0xff882E24, 0xffE2573A},
                          Sign{Meaning::Limit, u'◆', 0xff5F0480, 0xffCF19FF},
                          Sign{Meaning::Done, u'✓', 0xff666D79, 0xff7A868F}};
    for (const Sign &row : rows) {
        QCOMPARE(sign(row.meaning).glyph, row.glyph);
        QCOMPARE(color(row.meaning, false), QColor(row.light));
        QCOMPARE(color(row.meaning, true), QColor(row.dark));
    }
}

void PaletteTest::standsOutFromEveryGroundByThreeToOne()
{
    for (const Sign &each : signs) {
        for (const QRgb ground : {lightGrounds.window, lightGrounds.base})
            QVERIFY2(contrast(each.light, ground) >= 3,
                     qPrintable(QColor(each.light).name() + QStringLiteral(" on ")
                                + QColor(ground).name()));
        for (const QRgb ground : {darkGrounds.window, darkGrounds.base})
            QVERIFY2(contrast(each.dark, ground) >= 3,
                     qPrintable(QColor(each.dark).name() + QStringLiteral(" on ")
                                + QColor(ground).name()));
    }
}

// WCAG 2.1, 1.4.3: 4.5 : 1 for text.
void PaletteTest::textOnTheGroundOfALimitIsReadable()
{
    QVERIFY(contrast(inkOnLimitLight, sign(Meaning::Limit).light) >= 4.5);
    QVERIFY(contrast(inkOnLimitDark, sign(Meaning::Limit).dark) >= 4.5);
}

void PaletteTest::staysApartUnderEachColourVisionDeficiency_data()
{
    QTest::addColumn<int>("deficiency");
    QTest::addColumn<bool>("dark");
    for (const bool dark : {false, true}) {
        QTest::addRow("protan %s", dark ? "dark" : "light") << 0 << dark;
        QTest::addRow("deutan %s", dark ? "dark" : "light") << 1 << dark;
        QTest::addRow("tritan %s", dark ? "dark" : "light") << 2 << dark;
    }
}

void PaletteTest::staysApartUnderEachColourVisionDeficiency()
{
    QFETCH(const int, deficiency);
    QFETCH(const bool, dark);
    const std::array matrices{protan, deutan, tritan};
    const Matrix &seen = matrices.at(static_cast<std::size_t>(deficiency));
    for (std::size_t a = 0; a < signs.size(); ++a)
        for (std::size_t b = a + 1; b < signs.size(); ++b) {
            const QRgb first = dark ? signs[a].dark : signs[a].light;
            const QRgb second = dark ? signs[b].dark : signs[b].light;
            const double apart
                = distance(lab(times(seen, linear(first))), lab(times(seen, linear(second))));
            QVERIFY2(apart >= 32,
                     qPrintable(QStringLiteral("%1 and %2: %3")
                                    .arg(QColor(first).name(), QColor(second).name())
                                    .arg(apart)));
        }
}

QTEST_APPLESS_MAIN(PaletteTest)
#include "tst_palette.moc"
