// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/windowapplication.h"

#include "app/framemeter.h"

#include <QEvent>
#include <QThread>

namespace headway::app {

bool WindowApplication::notify(QObject *receiver, QEvent *event)
{
    // Qt asks here for the events of every thread.
    if (m_meter == nullptr || QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    // A platform may ask for the frame from within its timer.
    m_hasFrame = (m_depth > 0 && m_hasFrame) || event->type() == QEvent::UpdateRequest;
    if (m_depth++ == 0)
        m_meter->begin();
    const bool result = QApplication::notify(receiver, event);
    if (--m_depth == 0)
        m_meter->end(m_hasFrame);
    return result;
}

} // namespace headway::app
