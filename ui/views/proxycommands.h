// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace headway::ui {

// What a person asks of the proxy with whatever part of the window, as engine::Engine takes it.
class ProxyCommands final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    void settingEdited(const QString &key, const QString &value);
    void pauseRequested(bool isPaused);
    void passThroughRequested(bool isOn);
    void holdRequested(const QString &session, bool isHeld);
    void moveToFrontRequested(quint64 turn);
    void cancelRequested(quint64 turn);
    void evictRequested(quint64 connection, quint64 head);
    void pinRequested(quint64 connection, bool isPinned);
};

} // namespace headway::ui
