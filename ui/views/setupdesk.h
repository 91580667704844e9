// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/setuptexts.h"

#include <QObject>

namespace headway::ui {

class StatusStrip;

// Hands out what points a client at this proxy: for the clipboard, and as a hint.
class SetupDesk final : public QObject
{
    Q_OBJECT

public:
    SetupDesk(StatusStrip *status, QObject *parent); // the strip outlives it

    void setTexts(const SetupTexts &texts) { m_texts = texts; }
    // Where the proxy listens; empty: nowhere.
    void setListening(const QString &address);
    void setElsewhere(const QString &address); // a proxy there, of which this window is not

    void copy(const QString &text);
    void copyFirst(); // the lines of the first client

Q_SIGNALS:
    void hintChanged(const QString &hint); // how turns get here

private:
    void sayHint();

    StatusStrip *m_status;
    SetupTexts m_texts;
    QString m_listening;
    QString m_elsewhere;
};

} // namespace headway::ui
