// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commandline.h"

#include <QString>

#include <optional>
#include <string>

namespace headway::app {

// The process that listens on a port, as far as /proc shows it to us.
struct PortOwner
{
    qint64 pid = 0; // 0: another user's, not to be seen
    uint uid = 0;
    QString name; // "python3"; empty without pid
    bool isThisProgram = false; // runs this very executable
};

// Nothing where nobody listens there, or /proc does not say.
[[nodiscard]] std::optional<PortOwner> portOwner(const ListenAddress &where);

// What a running Headway says of itself (GET /headway/v1/state).
struct RunningHeadway
{
    QString upstream; // "openai", a host, "simulated"
    QString upstreamState;
    [[nodiscard]] bool isSimulated() const { return upstream == QLatin1String("simulated"); }
};

// Asks with the control key; nothing unless it is a Headway that takes the key. Ask only a process
// that runs this program: any other would be handed the key. Blocks for at most some seconds.
[[nodiscard]] std::optional<RunningHeadway> askRunningHeadway(const ListenAddress &where,
                                                              const std::string &controlKey);

// Whether a proxy can be reached or started at this address, and in words who is there.
struct PortReport
{
    bool isFree = false;
    bool isOurs = false; // a running Headway of this installation
    bool isSimulated = false; // … with a simulated provider
    QString text;
    QString owner; // who holds it, without advice
    QString freeAddress; // "127.0.0.1:40123", where the port is somebody else's
};

// "127.0.0.1:17421", "[::1]:17421".
[[nodiscard]] QString addressText(const ListenAddress &where);

// `controlKey` may be empty: then no Headway can prove that it is ours.
[[nodiscard]] PortReport reportPort(const ListenAddress &where, const std::string &controlKey);

} // namespace headway::app
