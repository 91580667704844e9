// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/budget.h"
#include "proxy/core/settings/settings.h"
#include "proxy/store/storeerror.h"

#include <QString>

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

class QProcessEnvironment;

namespace headway::store {

// The settings file (spec/cli.md, "Settings"): QSettings INI, 0600, one key a line, no sections.
// Reentrant; no file is held open between calls.
class SettingsFile final
{
public:
    explicit SettingsFile(QString path);

    // Replaces everything that Source::File says by what the file says now: at start and on
    // SIGHUP. No file is no fault. One notice for each key that is unknown, malformed or out of
    // range, for a mode looser than 0600 (which is corrected) and for a file that cannot be read.
    [[nodiscard]] std::vector<pacing::Notice> readInto(settings::Settings &settings) const;

    // Writes this one key, or takes it out, and leaves the others; atomically, and the file stays
    // 0600. The text is not checked: give what Settings::set() accepted. A file with lines that
    // are no settings is left alone (Damaged).
    [[nodiscard]] tl::expected<void, StoreError> write(settings::Key key,
                                                       std::string_view text) const;
    [[nodiscard]] tl::expected<void, StoreError> remove(settings::Key key) const;

private:
    QString m_path;
};

// "HEADWAY_RATE_PER_MIN"
[[nodiscard]] QString environmentName(settings::Key key);

// Everything that HEADWAY_* variables say, as Source::Environment; one notice for each that is
// malformed, out of range or names no setting (with the name it may have meant, never the value).
[[nodiscard]] std::vector<pacing::Notice> readEnvironment(const QProcessEnvironment &environment,
                                                          settings::Settings &settings);

} // namespace headway::store
