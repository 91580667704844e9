// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace headway::app {

class FrameMeter;

// An application whose events can be timed.
class WindowApplication final : public QApplication
{
public:
    using QApplication::QApplication;

    // Null: nothing is timed.
    void setMeter(FrameMeter *meter) { m_meter = meter; }
    bool notify(QObject *receiver, QEvent *event) override;

private:
    FrameMeter *m_meter = nullptr;
    int m_depth = 0; // an event may deliver others
    bool m_hasFrame = false; // the outermost one has delivered a frame
};

} // namespace headway::app
