// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timechart.h"

#include <QWidget>

namespace headway::ui {

// Title, legend and read-out of one chart in one line: "Wait for admission  ── p50 120 ms …".
// Names give way to values where it gets narrow.
class LegendBar final : public QWidget
{
    Q_OBJECT

public:
    explicit LegendBar(const QString &title, QWidget *parent = nullptr);

    void setItems(std::vector<LegendItem> items);
    void setValues(std::vector<QString> values);
    [[nodiscard]] const std::vector<QString> &values() const { return m_values; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_title;
    std::vector<LegendItem> m_items;
    std::vector<QString> m_values;
};

} // namespace headway::ui
