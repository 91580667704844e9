// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/lab/arrivals.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::app {

// `headway lab run` and `headway lab replay` (spec/lab.md); they return the exit status.
int labRun(const QStringList &arguments);
int labReplay(const QStringList &arguments);

// A file of the lab, whole; the error is a sentence that names it.
[[nodiscard]] tl::expected<QByteArray, QString> readLabFile(const QString &path);

[[nodiscard]] bool isLedger(const QString &path); // an SQLite file, by its first bytes

// The turns of a ledger that asked for a new connection, with the times they really came at, the
// first at zero. A turn that was sent back and asked again counts once; one whose client left
// while it was queued leaves after the same time. With `since`, of the records from then on. Any
// thread.
[[nodiscard]] tl::expected<std::vector<lab::Arrival>, QString>
arrivalsFromLedger(const QString &path, std::optional<base::WallTime> since = {});

} // namespace headway::app
