// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/chaincontext.h"

namespace headway::simulator {

// The shape of one input item: known type, known fields, parts that fit the role, names and ids
// within their limits, encrypted reasoning of this provider. `path` is what messages call it
// ("input[3]"). Source: protocols.md 3.1.
[[nodiscard]] std::optional<ApiError> checkItem(const QJsonObject &item, const QString &type,
                                                const QByteArray &path, const Mint &mint);

// Function and custom tool names: ^[A-Za-z0-9_-]+$, at most 64 characters.
[[nodiscard]] std::optional<ApiError> checkName(const QJsonValue &name, const QByteArray &path);

// Refuses keys of `object` that are not in the blank-separated list `known`.
[[nodiscard]] std::optional<ApiError> checkKeys(const QJsonObject &object, const char *known,
                                                const QByteArray &path);

} // namespace headway::simulator
