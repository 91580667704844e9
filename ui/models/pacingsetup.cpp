// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pacingsetup.h"

#include "proxy/core/settings/settings.h"
#include "proxy/core/settings/table.h"

namespace headway::ui {

lab::PacingSetup pacingSetupOf(const std::map<std::string, live::SettingValue> &values)
{
    settings::Settings settings;
    for (const auto &[name, value] : values) {
        const auto key = settings::find(name);
        // What nobody set stays unset: a budget is resolved differently then.
        if (!key || value.source == "default" || settings::row(*key).kind == settings::Kind::Secret)
            continue;
        settings.set(settings::Source::Window, *key, value.value);
    }
    return lab::pacingSetup(settings);
}

} // namespace headway::ui
