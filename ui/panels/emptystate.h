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
    // Everything of the content is filtered away: says so and offers to show it again.
    void setAllHidden(bool isHidden, int rows);
    void setMessage(const QString &title, const QString &text, const QString &action = {});
    [[nodiscard]] bool isShowingMessage() const;
    [[nodiscard]] QString title() const; // of the message that is shown

Q_SIGNALS:
    void actionTriggered();
    void clearRequested(); // of the filter

private:
    struct Page
    {
        QWidget *page;
        QLabel *title;
        QLabel *text;
        QPushButton *action;
    };
    [[nodiscard]] Page addPage();
    void choose();

    QStackedLayout *m_stack;
    QWidget *m_content;
    Page m_message{};
    Page m_filtered{};
    bool m_isEmpty = false;
    bool m_isHidden = false;
};

} // namespace headway::ui
