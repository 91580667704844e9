// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headway::ui {

// Copy-ready text for one client. The window never makes such a text, it only shows it.
struct ClientSetup
{
    QString name; // "Claude Code"
    QString text; // as it is to be pasted, with the access key in clear
    QString hint; // where it goes, one sentence
    QString file = {}; // the client's own configuration; empty: it cannot be written from here
    bool canRestore = false; // what that held before is kept
    QString outcome = {}; // of the last attempt to write or restore it
    bool isWell = true; // that outcome

    friend bool operator==(const ClientSetup &, const ClientSetup &) = default;
};

struct SetupTexts
{
    std::vector<ClientSetup> clients; // the first one is what the strip's Copy button copies
    QString accessKey; // masked wherever it appears, until revealed; empty: none is asked for

    friend bool operator==(const SetupTexts &, const SetupTexts &) = default;
};

} // namespace headway::ui
