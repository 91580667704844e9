// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setupview.h"

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace headway::ui;

class SetupViewTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theKeyIsMaskedUntilRevealed();
    void copyGivesTheKeyInClear();
    void withoutAKeyThereIsNothingToReveal();
    void otherTextsReplaceTheOldOnes();
};

namespace {

SetupTexts texts(const QString &key)
{
    return {{{QStringLiteral("Claude Code"), QStringLiteral("export A=http://h/k/") + key, {}},
             {QStringLiteral("curl"), QStringLiteral("curl h"), {}}},
            key};
}

QString shown(const SetupView &view)
{
    QString all;
    for (const QPlainTextEdit *edit : view.findChildren<QPlainTextEdit *>())
        all += edit->toPlainText() + u'\n';
    return all;
}

} // namespace

void SetupViewTest::theKeyIsMaskedUntilRevealed()
{
    SetupView view;
    view.show();
    view.setTexts(texts(QStringLiteral("s3cret")));
    QVERIFY(!shown(view).contains(QLatin1String("s3cret")));
    auto *reveal = view.findChild<QCheckBox *>(QStringLiteral("reveal_key"));
    QVERIFY(reveal->isVisible());
    QTest::keyClick(reveal, Qt::Key_Space);
    QVERIFY(shown(view).contains(QLatin1String("/k/s3cret")));
    QTest::keyClick(reveal, Qt::Key_Space);
    QVERIFY(!shown(view).contains(QLatin1String("s3cret")));
}

void SetupViewTest::copyGivesTheKeyInClear()
{
    SetupView view;
    view.show();
    view.setTexts(texts(QStringLiteral("s3cret")));
    QSignalSpy copies(&view, &SetupView::copyRequested);
    for (QPushButton *button : view.findChildren<QPushButton *>())
        if (button->isVisible() && button->accessibleName().contains(QLatin1String("Claude")))
            QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(copies.count(), 1);
    QCOMPARE(copies.at(0).at(0).toString(), QStringLiteral("export A=http://h/k/s3cret"));
}

void SetupViewTest::withoutAKeyThereIsNothingToReveal()
{
    SetupView view;
    view.show();
    view.setTexts(texts({}));
    QVERIFY(!view.findChild<QCheckBox *>(QStringLiteral("reveal_key"))->isVisible());
    QVERIFY(shown(view).contains(QLatin1String("http://h/k/")));
}

void SetupViewTest::otherTextsReplaceTheOldOnes()
{
    SetupView view;
    view.setTexts(texts(QStringLiteral("old-key")));
    view.setTexts(texts(QStringLiteral("new-key")));
    QCOMPARE(view.findChildren<QPlainTextEdit *>().size(), 2);
}

QTEST_MAIN(SetupViewTest)
#include "tst_setupview.moc"
