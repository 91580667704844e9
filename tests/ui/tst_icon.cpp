// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/mainwindow.h"

#include <QImage>
#include <QTest>

class IconTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWindowHasAnIconThatCanBeDrawn();
};

void IconTest::theWindowHasAnIconThatCanBeDrawn()
{
    const headway::ui::MainWindow window;
    const QImage image = window.windowIcon().pixmap(32, 32).toImage();
    QVERIFY(!image.isNull());
    QVERIFY(qAlpha(image.pixel(image.width() / 2, image.height() / 2)) == 255);
}

QTEST_MAIN(IconTest)
#include "tst_icon.moc"
