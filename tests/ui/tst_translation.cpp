// SPDX-License-Identifier: GPL-3.0-or-later
// Every text may be replaced by one that is 40 % longer, and nothing is clipped (issue E). Tab goes
// round in every place.
#include "scene.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/upstreamcard.h"
#include "ui/views/mainwindow.h"
#include "ui/views/renderwindow.h"
#include "ui/views/setupview.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QScrollArea>
#include <QTest>
#include <QTranslator>

#include <memory>

using headway::test::Scene;
using namespace headway;
using namespace headway::ui;

namespace {

// "Pause" → "Päuse··": as long as many a language needs, and seen at once to be translated.
class PseudoLocale final : public QTranslator
{
public:
    [[nodiscard]] QString translate(const char * /*context*/, const char *source,
                                    const char * /*disambiguation*/, int /*n*/) const override
    {
        QString text = QString::fromUtf8(source);
        text.replace(u'a', u'ä').replace(u'o', u'ö');
        const auto more = static_cast<int>(static_cast<double>(text.size()) * 0.4 + 0.5);
        return text + QString(more, u'·');
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

QString nameOf(const QWidget *widget, const QString &text)
{
    return QLatin1String(widget->metaObject()->className()) + u' ' + widget->objectName() + u' '
        + text;
}

// A panel that scrolls up and down only must not hide the right end of what it holds.
bool isCutAtTheSide(const QWidget *widget)
{
    const QRect seen = widget->visibleRegion().boundingRect();
    return !seen.isEmpty() && seen.width() < widget->width();
}

// Empty, or what of the widget cannot be read.
QString clipped(const QWidget *widget)
{
    const bool isControl = qobject_cast<const QAbstractButton *>(widget) != nullptr
        || qobject_cast<const QAbstractSpinBox *>(widget) != nullptr
        || qobject_cast<const QLabel *>(widget) != nullptr;
    if (isControl && isCutAtTheSide(widget))
        return nameOf(widget, QStringLiteral("is cut at the side"));
    if (const auto *label = qobject_cast<const QLabel *>(widget)) {
        const bool isElided = qobject_cast<const ElidedLabel *>(widget) != nullptr;
        if (isElided || label->text().isEmpty() || label->textFormat() == Qt::RichText)
            return {};
        if (label->wordWrap())
            return label->heightForWidth(label->width()) > label->height() + 1
                ? nameOf(widget, label->text())
                : QString();
        return label->sizeHint().width() > label->width() + 1 ? nameOf(widget, label->text())
                                                              : QString();
    }
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    if (button != nullptr && !button->text().isEmpty()
        && button->minimumSizeHint().width() > button->width() + 1)
        return nameOf(widget, button->text());
    return {};
}

} // namespace

class TranslationTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fortyPercentMoreClipNothing_data();
    void fortyPercentMoreClipNothing();
    void everyTextOfTheWindowIsTranslatable();
    void tabIsACycleInEveryPlace_data();
    void tabIsACycleInEveryPlace();

private:
    static void places()
    {
        QTest::addColumn<QString>("place");
        for (const char *place :
             {"live", "heads", "ledger", "what-if", "setup", "first run", "stall"})
            QTest::newRow(place) << QString::fromLatin1(place);
    }
    static std::unique_ptr<MainWindow> windowAt(const QString &place)
    {
        auto window = std::make_unique<MainWindow>();
        window->setSetup({{{QStringLiteral("Claude Code"), QStringLiteral("export A=b"), {}}},
                          QStringLiteral("key")});
        Scene scene;
        live::Snapshot snapshot = scene.history(120);
        if (place == QLatin1String("first run")) {
            window->places()->setup()->upstream()->offerChoice();
            snapshot = {};
        } else if (place == QLatin1String("stall")) {
            for (live::TurnRow &row : snapshot.turns) {
                row.lacksOpening = true;
                row.lackedOpening = base::Seconds(20);
            }
        } else {
            snapshot.overrides = {true, true, {"refactor-auth"}};
        }
        window->apply(std::make_shared<const live::Snapshot>(std::move(snapshot)));
        window->showView(place == QLatin1String("first run")   ? QStringLiteral("setup")
                             : place == QLatin1String("stall") ? QStringLiteral("live")
                                                               : place);
        return window;
    }
};

void TranslationTest::fortyPercentMoreClipNothing_data()
{
    places();
}

void TranslationTest::fortyPercentMoreClipNothing()
{
    QFETCH(const QString, place);
    PseudoLocale locale;
    QVERIFY(QCoreApplication::installTranslator(&locale));
    const auto window = windowAt(place);
    for (QAbstractButton *group : window->findChildren<QAbstractButton *>())
        if (group->objectName().startsWith(QLatin1String("group_")))
            group->click();
    static_cast<void>(renderWindow(*window, QSize(1440, 900)));
    QStringList unread;
    for (const QWidget *widget : window->findChildren<QWidget *>())
        if (widget->isVisible())
            if (const QString what = clipped(widget); !what.isEmpty())
                unread << what;
    QCoreApplication::removeTranslator(&locale);
    QVERIFY2(unread.isEmpty(), qPrintable(unread.join(u'\n')));
}

void TranslationTest::everyTextOfTheWindowIsTranslatable()
{
    PseudoLocale locale;
    QVERIFY(QCoreApplication::installTranslator(&locale));
    QStringList plain;
    for (const char *place : {"live", "heads", "ledger", "what-if"}) {
        const auto window = windowAt(QLatin1String(place));
        static_cast<void>(renderWindow(*window, QSize(1440, 900)));
        for (const QAbstractButton *button : window->findChildren<QAbstractButton *>())
            if (button->isVisible() && button->text().size() > 2 && !button->text().contains(u'·'))
                plain << button->text();
    }
    QCoreApplication::removeTranslator(&locale);
    QVERIFY2(plain.isEmpty(), qPrintable(plain.join(u'\n')));
}

void TranslationTest::tabIsACycleInEveryPlace_data()
{
    places();
}

void TranslationTest::tabIsACycleInEveryPlace()
{
    QFETCH(const QString, place);
    const auto window = windowAt(place);
    window->show();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const auto tab = [&window](Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(window->focusWidget() != nullptr ? window->focusWidget() : window.get(),
                        key, modifiers);
        return window->focusWidget();
    };
    QWidget *first = tab(Qt::Key_Tab, Qt::NoModifier);
    QVERIFY(first);
    QList<QWidget *> way{first};
    for (int i = 0; i < 200; ++i) {
        QWidget *next = tab(Qt::Key_Tab, Qt::NoModifier);
        if (next == first)
            break;
        QVERIFY2(!way.contains(next), qPrintable(nameOf(next, QStringLiteral("is met twice"))));
        way << next;
    }
    QVERIFY(way.size() < 200);
    QVERIFY(way.size() >= 3);
    // Backwards it is the same way.
    for (qsizetype i = way.size() - 1; i >= 0; --i)
        QCOMPARE(tab(Qt::Key_Backtab, Qt::ShiftModifier), way[i]);
}

QTEST_MAIN(TranslationTest)
#include "tst_translation.moc"
