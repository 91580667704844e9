// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of table cells: one line, cut with an ellipsis where they do not fit, laid out once.
#include "ui/models/tableroles.h"
#include "ui/panels/signdelegate.h"

#include <QApplication>
#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTest>

using headway::ui::CellTexts;
using headway::ui::SignDelegate;

class CellTextsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatFitsIsWhole();
    void whatDoesNotFitEndsInAnEllipsis();
    void aTextIsOneLine();
    void anotherFontIsLaidOutAnew();
    void aCellIsPaintedWhereItIsAligned_data();
    void aCellIsPaintedWhereItIsAligned();
    void aSelectedCellHasTheInkOfTheSelection();
};

namespace {

const QString words = QStringLiteral("streaming 1 204 tokens");

bool isDark(const QColor &color)
{
    return color.lightness() < 100;
}

bool isYellowish(const QColor &color)
{
    return color.red() > 128 && color.blue() < 128;
}

// Columns that hold something of such a colour (edges are smoothed), first and last; -1: none.
std::pair<int, int> inked(const QImage &image, bool (*isInk)(const QColor &))
{
    std::pair<int, int> span{-1, -1};
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y) {
            if (isInk(image.pixelColor(x, y))) {
                span.first = span.first < 0 ? x : span.first;
                span.second = x;
            }
        }
    }
    return span;
}

QImage painted(const QStandardItemModel &model, QStyle::State state, const QPalette &palette)
{
    QImage image(400, 30, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    option.showDecorationSelected = true;
    option.state = state;
    option.palette = palette;
    option.font = QApplication::font();
    option.fontMetrics = QFontMetrics(option.font);
    const SignDelegate delegate;
    delegate.paint(&painter, option, model.index(0, 0));
    return image;
}

QPalette plain()
{
    QPalette palette;
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    palette.setColor(QPalette::Highlight, Qt::blue);
    palette.setColor(QPalette::HighlightedText, Qt::yellow);
    return palette;
}

} // namespace

void CellTextsTest::whatFitsIsWhole()
{
    CellTexts texts;
    const QFont font;
    const int width = QFontMetrics(font).horizontalAdvance(words) + 2;
    QCOMPARE(texts.text(words, width, font).text(), words);
    const QStaticText *first = &texts.text(words, width, font);
    QCOMPARE(&texts.text(words, width, font), first);
}

void CellTextsTest::whatDoesNotFitEndsInAnEllipsis()
{
    CellTexts texts;
    const QFont font;
    const int width = QFontMetrics(font).horizontalAdvance(words) / 2;
    const QStaticText &cut = texts.text(words, width, font);
    QVERIFY(cut.text().endsWith(QChar(0x2026)));
    QVERIFY(words.startsWith(cut.text().chopped(1)));
    QVERIFY(cut.size().width() <= width);
}

void CellTextsTest::aTextIsOneLine()
{
    CellTexts texts;
    const QFont font;
    const double height = texts.text(QStringLiteral("a"), 400, font).size().height();
    const QString two = QStringLiteral("a") + QChar(QChar::LineSeparator) + QLatin1Char('b');
    QCOMPARE(texts.text(two, 400, font).size().height(), height);
    QCOMPARE(texts.text(QStringLiteral("<b>a</b>"), 400, font).text(),
             QStringLiteral("<b>a</b>")); // and no markup
}

void CellTextsTest::anotherFontIsLaidOutAnew()
{
    CellTexts texts;
    QFont font;
    const double small = texts.text(words, 4'000, font).size().width();
    font.setPixelSize(60);
    QVERIFY(texts.text(words, 4'000, font).size().width() > small * 2);
}

void CellTextsTest::aCellIsPaintedWhereItIsAligned_data()
{
    QTest::addColumn<int>("alignment");
    QTest::newRow("left") << int(Qt::AlignLeft | Qt::AlignVCenter);
    QTest::newRow("right") << int(Qt::AlignRight | Qt::AlignVCenter);
}

void CellTextsTest::aCellIsPaintedWhereItIsAligned()
{
    QFETCH(int, alignment);
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), QStringLiteral("llll"));
    model.setData(model.index(0, 0), alignment, Qt::TextAlignmentRole);
    const auto [first, last]
        = inked(painted(model, QStyle::State_Enabled | QStyle::State_Active, plain()), isDark);
    QVERIFY(first >= 0);
    if ((alignment & Qt::AlignLeft) != 0)
        QVERIFY(first < 12 && last < 100);
    else
        QVERIFY(first > 300 && last > 388);
}

void CellTextsTest::aSelectedCellHasTheInkOfTheSelection()
{
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), QStringLiteral("llll"));
    const QImage image = painted(
        model, QStyle::State_Enabled | QStyle::State_Active | QStyle::State_Selected, plain());
    QVERIFY(inked(image, isYellowish).first >= 0);
    QCOMPARE(image.pixelColor(200, 15), QColor(Qt::blue));
}

QTEST_MAIN(CellTextsTest)
#include "tst_celltexts.moc"
