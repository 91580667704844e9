// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

namespace headway::ui {

// A spin box whose value is in the setting's own unit, shown in a larger one: 14001 ms reads
// "14.001" with unit 1000.
class SettingSpin final : public QSpinBox
{
    Q_OBJECT

public:
    explicit SettingSpin(int unit, QWidget *parent = nullptr);

    // Somebody has typed and not finished.
    [[nodiscard]] bool isBeingEdited() const;

protected:
    bool event(QEvent *event) override;
    [[nodiscard]] QString textFromValue(int value) const override;
    [[nodiscard]] int valueFromText(const QString &text) const override;
    [[nodiscard]] QValidator::State validate(QString &text, int &position) const override;

private:
    [[nodiscard]] QString bare(const QString &text) const; // without suffix and blanks

    int m_unit;
};

} // namespace headway::ui
