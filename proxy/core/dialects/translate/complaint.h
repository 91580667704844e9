// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnerror.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace headway::dialects {

// The first fault found in a request. Reading goes on after it, over empty values, and the result
// is thrown away: that keeps error handling out of every line of the translation.
class Complaint final
{
public:
    // "messages[3].content: what".
    void add(std::string path, std::string_view what)
    {
        if (m_error)
            return;
        TurnError error;
        error.kind = ErrorKind::InvalidRequest;
        error.type = "invalid_request_error";
        error.param = path;
        error.message = std::move(path);
        error.message += ": ";
        error.message += what;
        m_error = std::move(error);
    }

    [[nodiscard]] const std::optional<TurnError> &error() const { return m_error; }

private:
    std::optional<TurnError> m_error;
};

} // namespace headway::dialects
