// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnerror.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::dialects {

// Which model of the upstream a name of a client means (spec/cli.md, "Upstreams"): an entry of the
// table; without a table any name but claude-*, which are Anthropic's. A "[1m]" behind a name says
// that the client wants a large window and is not part of the name.
class ModelTable final
{
public:
    ModelTable() = default;
    // Entries "name" or "alias=name", as in the setting `models`. With `anyName` (simulated) a name
    // that is not listed stands for itself, claude-* included.
    explicit ModelTable(const std::vector<std::string> &entries, bool anyName = false);

    // The upstream's name; NotFound with the list of names otherwise.
    [[nodiscard]] tl::expected<std::string, TurnError> route(std::string_view asked) const;

    // Names that clients may use, in the order of the table.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::vector<std::pair<std::string, std::string>> m_entries; // client's name, upstream's
    bool m_anyName = false;
};

// "model[1m]" without the mark.
[[nodiscard]] std::string_view withoutLongContextMark(std::string_view model);

// The window stated for a model in the model list, tokens: nobody asks the provider for it.
[[nodiscard]] std::uint64_t statedWindow(std::string_view model);

// Where the provider named no counts for a prompt that is too long, clients that shorten it want
// some: our estimate of the prompt, and a maximum below it, the stated window if that is one.
void completeOverflow(TurnError &error, std::uint64_t estimate, std::string_view modelAsked);

} // namespace headway::dialects
