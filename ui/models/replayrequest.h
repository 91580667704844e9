// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/whatif.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <tl/expected.hpp>
#include <vector>

namespace headway::ui {

// Where the arrivals of a replay come from.
struct ReplaySource
{
    base::Milliseconds back{15 * 60'000}; // this much of the own ledger, up to now
    QString scenario; // or this file; empty: the ledger
    std::uint64_t reading = 0; // another number reads the same source again

    friend bool operator==(const ReplaySource &, const ReplaySource &) = default;
};

struct ReplayRequest
{
    ReplaySource source;
    lab::PacingSetup before;
    lab::PacingSetup after;
};

struct ReplayResult
{
    ReplaySource source;
    QString
        error; // why there are no arrivals, a sentence that names the file; empty: all went well
    lab::WhatIf curves; // both sides empty where nothing arrived
};

using ReplayRequestPointer = std::shared_ptr<const ReplayRequest>;
using ReplayResultPointer = std::shared_ptr<const ReplayResult>;

// Reads the arrivals of the last so long from the ledger; the error is a sentence. Called on
// another thread than it was made on, never on two at a time.
using LedgerReader
    = std::function<tl::expected<std::vector<lab::Arrival>, QString>(base::Milliseconds back)>;

} // namespace headway::ui
