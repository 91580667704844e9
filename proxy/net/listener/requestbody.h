// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/bodydecoder.h"
#include "proxy/net/listener/memorybudget.h"
#include "proxy/net/listener/requestparser.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace headway::net {

// One request's body as it arrives: decoded, counted against its own limit and against what all
// bodies may hold together.
class RequestBody final : public BodySink
{
public:
    // Looks at the head alone: refuses with 415 (coding), 413 (declared length), 503 with
    // Retry-After (no memory).
    [[nodiscard]] std::optional<Refusal> begin(const RequestHead &head, const Framing &framing,
                                               MemoryBudget &budget, std::size_t limit);

    [[nodiscard]] std::optional<Refusal> bodyArrived(std::string_view bytes) override;

    // All bytes have arrived: refuses coded data that ends early.
    [[nodiscard]] std::optional<Refusal> end();

    [[nodiscard]] std::size_t received() const { return m_received; } // on the wire
    [[nodiscard]] std::string takeText(); // with limits::bodySlack spare bytes of capacity
    [[nodiscard]] MemoryCharge takeCharge() { return std::move(m_charge); }
    void clear();

private:
    [[nodiscard]] bool append(std::string_view bytes); // sets m_refusal when it does not fit

    std::string m_text;
    std::unique_ptr<BodyDecoder> m_decoder;
    MemoryCharge m_charge;
    std::optional<Refusal> m_refusal;
    std::size_t m_limit = 0;
    std::size_t m_received = 0;
};

} // namespace headway::net
