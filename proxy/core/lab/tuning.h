// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"
#include "proxy/core/lab/fields.h"
#include "proxy/core/settings/settings.h"

#include <string>
#include <vector>

namespace headway::lab {

// Puts an object of key: value pairs (numbers, texts, true, false) into `settings` as what `source`
// says. An unknown key or a malformed value is a problem; a value that was clamped is told in
// `notices`.
void readSettings(json::Value object, const std::string &path, settings::Source source,
                  settings::Settings &settings, std::vector<std::string> &notices,
                  Problem &problem);

} // namespace headway::lab
