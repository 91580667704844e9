// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shortcutsdialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headway::ui {

namespace {

QString plain(QString text)
{
    return text.remove(u'&').remove(QStringLiteral("…"));
}

QLabel *selectable(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    setObjectName(QStringLiteral("shortcuts"));
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    for (const QAction *action : actions)
        if (!action->shortcut().isEmpty())
            form->addRow(action->shortcut().toString(QKeySequence::NativeText),
                         selectable(plain(action->text())));
    form->addRow(tr("Left, Right"), selectable(tr("On a chart: moves the crosshair")));
    form->addRow(tr("T"), selectable(tr("On a chart: shows its figures as a table")));
    form->addRow(tr("Esc"), selectable(tr("On a chart: removes the crosshair")));
    form->addRow(tr("Up, Down"), selectable(tr("In a table: selects a row and tells why")));
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(windowTitle());
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(scroll, 1);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 26);
}

} // namespace headway::ui
