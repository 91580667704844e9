// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/upstreamchoice.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace headway::ui {

// Asks where turns are to go, with what that place needs. A passive view: it says what was chosen,
// and shows why that could not be done.
class UpstreamForm final : public QWidget
{
    Q_OBJECT

public:
    explicit UpstreamForm(QWidget *parent = nullptr);

    void showRefusal(const QString &reason); // a sentence
    void clear(); // no key stays in it

Q_SIGNALS:
    void chosen(const headway::ui::UpstreamChoice &choice);

private:
    enum class Kind { OpenAi, Plan, Endpoint };

    void build();
    void adapt();
    void choose();
    [[nodiscard]] Kind kind() const;

    QComboBox *m_kind;
    QLabel *m_urlLabel;
    QLineEdit *m_url;
    QLabel *m_keyLabel;
    QLineEdit *m_key;
    QCheckBox *m_anthropic;
    QPushButton *m_use;
    QLabel *m_words; // what the kind means, or why it could not be done
};

} // namespace headway::ui
