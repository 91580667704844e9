// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace headway::ui {

// Shows its content, or, while there is nothing in it, a sentence that says what to do next.
class EmptyState final : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *content, QWidget *parent = nullptr);

    void setEmpty(bool isEmpty);
    void setMessage(const QString &title, const QString &text, const QString &action = {});
    [[nodiscard]] bool isShowingMessage() const;
    [[nodiscard]] QString title() const;

Q_SIGNALS:
    void actionTriggered();

private:
    QStackedLayout *m_stack;
    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_action;
};

} // namespace headway::ui
