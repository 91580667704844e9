// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/settingspin.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <cmath>

namespace headway::ui {

SettingSpin::SettingSpin(int unit, QWidget *parent)
    : QSpinBox(parent)
    , m_unit(unit)
{
    setKeyboardTracking(false); // "60" is not first "6"
    setSingleStep(unit);
    setAlignment(Qt::AlignRight);
    setAccelerated(true);
}

bool SettingSpin::isBeingEdited() const
{
    return hasFocus() && lineEdit()->isModified();
}

// Ctrl+Z takes back what is typed while somebody types, and the last setting otherwise.
bool SettingSpin::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && !lineEdit()->isModified()) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return false;
        }
    }
    return QSpinBox::event(event);
}

QString SettingSpin::textFromValue(int value) const
{
    return QString::number(static_cast<double>(value) / m_unit, 'g', 10);
}

int SettingSpin::valueFromText(const QString &text) const
{
    if (text == specialValueText())
        return minimum();
    return static_cast<int>(std::lround(bare(text).toDouble() * m_unit));
}

QValidator::State SettingSpin::validate(QString &text, int & /*position*/) const
{
    if (!specialValueText().isEmpty() && text == specialValueText())
        return QValidator::Acceptable;
    const QString digits = bare(text);
    if (digits.isEmpty() || digits == QLatin1String("."))
        return QValidator::Intermediate;
    bool isNumber = false;
    const double value = digits.toDouble(&isNumber) * m_unit;
    if (!isNumber || value > maximum() || value < 0)
        return QValidator::Invalid;
    if (m_unit == 1 && digits.contains(u'.'))
        return QValidator::Invalid;
    return value < minimum() ? QValidator::Intermediate : QValidator::Acceptable;
}

QString SettingSpin::bare(const QString &text) const
{
    QString digits = text;
    if (!suffix().isEmpty() && digits.endsWith(suffix()))
        digits.chop(suffix().size());
    return digits.trimmed();
}

} // namespace headway::ui
