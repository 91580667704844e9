// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace headway::ui {

// A heading that opens and closes what stands below it.
class Section final : public QWidget
{
    Q_OBJECT

public:
    explicit Section(const QString &name, const QString &title, QWidget *parent = nullptr);

    void add(QWidget *widget);
    void setOpen(bool isOpen);
    [[nodiscard]] bool isOpen() const;

private:
    QToolButton *m_heading;
    QWidget *m_body;
    QVBoxLayout *m_content;
};

} // namespace headway::ui
