// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/clientfile.h"
#include "app/clientsetup.h"
#include "ui/models/setuptexts.h"

#include <QObject>

namespace headway::ui {
class MainWindow;
} // namespace headway::ui

namespace headway::app {

// What the window's Setup says of the clients, and writes for them.
class SetupLines final : public QObject
{
    Q_OBJECT

public:
    // mayWrite: this proxy is the user's own, to which clients may be pointed for good.
    SetupLines(ui::MainWindow &window, bool mayWrite);

    void show(const ClientSetupFacts &facts);

private:
    void write(const QString &client);
    void restore(const QString &client);
    void tell(const QString &client, const tl::expected<QString, QString> &outcome);
    [[nodiscard]] const ClientFile &fileOf(const QString &client) const;

    ui::MainWindow &m_window;
    bool m_mayWrite;
    ClientFile m_claude;
    ClientFile m_codex;
    ClientSetupFacts m_facts;
    ui::SetupTexts m_texts;
};

} // namespace headway::app
