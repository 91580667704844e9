// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/budget.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace headway::store {

// The two keys of an installation (spec/safety.md): clients hold the access key, the window and
// its like the control key. 43 characters each: 32 random bytes in base64url.
struct InstallKeys
{
    std::string access;
    std::string control;

    friend bool operator==(const InstallKeys &, const InstallKeys &) = default;
};

struct LoadedKeys
{
    InstallKeys keys;
    std::vector<pacing::Notice> notices; // where they were put, or why they hold for this run only
};

// Fresh keys from the kernel's random numbers.
[[nodiscard]] InstallKeys makeKeys();

// How keys are stored, in a file or in the keychain: two lines, access_key=… and control_key=….
[[nodiscard]] QByteArray serialized(const InstallKeys &keys);
// Nothing unless both keys are there, differ, and are 32 to 256 characters of base64url.
[[nodiscard]] std::optional<InstallKeys> parseKeys(const QByteArray &text);

// The keys in this file, if it is there and holds keys. A mode looser than 0600 is corrected.
[[nodiscard]] std::optional<InstallKeys> readKeysFile(const QString &path);

// The keys of this file, made (0600, with a notice) where there is none. A file that holds
// something else is never overwritten; the keys then hold for this run only. When two processes
// start at once, both end up with the same keys. Blocks for a file of a hundred bytes.
[[nodiscard]] LoadedKeys loadOrMakeKeys(const QString &path);

} // namespace headway::store
