// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/wishes.h"
#include "proxy/core/json/document.h"

namespace headway::dialects {

// temperature and top_p of a request, as the client wrote them; they have the same names in
// Messages and in chat completions. What is no number is a complaint.
inline void readSampling(json::Value request, Wishes &wishes, Complaint &complaint)
{
    const auto read = [&](std::string_view name, std::string &wish) {
        const json::Value value = request[name];
        if (!value.exists() || value.isNull())
            return;
        if (value.number())
            wish = value.raw();
        else
            complaint.add(std::string(name), "expected a number");
    };
    read("temperature", wishes.temperature);
    read("top_p", wishes.topP);
}

} // namespace headway::dialects
