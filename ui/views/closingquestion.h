// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace headway::ui {

// Asks what closing the window is to mean while turns are in flight; one question at a time.
class ClosingQuestion final : public QObject
{
    Q_OBJECT

public:
    explicit ClosingQuestion(QWidget *window);

    // There is another way back to the window once it is closed (a tray icon).
    void setStaysInBackground(bool canStay) { m_canStay = canStay; }
    void ask(std::size_t turns);

Q_SIGNALS:
    void quitChosen();
    void stayChosen();

private:
    QWidget *m_window;
    QPointer<QMessageBox> m_box; // while it asks
    bool m_canStay = false;
};

} // namespace headway::ui
