// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headway::base {

// One visitor out of several lambdas: std::visit(Overloaded{...}, variant).
template <typename... Fs>
struct Overloaded : Fs...
{
    using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

} // namespace headway::base
