// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/doctorstate.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headway::ui {

// Has everything looked at that Headway needs, and lists what was found.
class DoctorCard final : public QWidget
{
    Q_OBJECT

public:
    explicit DoctorCard(QWidget *parent = nullptr);

    void show(const DoctorState &state);
    // Why nothing can be looked at from this window; empty: it can.
    void setUnavailable(const QString &reason);

Q_SIGNALS:
    void requested();

private:
    void addFinding(const Finding &finding);

    QLabel *m_text;
    QPushButton *m_button;
    QVBoxLayout *m_list;
    std::vector<QWidget *> m_rows;
};

} // namespace headway::ui
