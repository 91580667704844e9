// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>

namespace headway::net {

// What all request bodies of one listener hold together, from the first byte until their exchange
// is over.
class MemoryBudget final
{
public:
    explicit MemoryBudget(std::size_t limit)
        : m_limit(limit)
    {
    }

    void setLimit(std::size_t limit) { m_limit = limit; }
    [[nodiscard]] std::size_t used() const { return m_used; }

private:
    friend class MemoryCharge;

    std::size_t m_limit;
    std::size_t m_used = 0;
};

// One body's part of the budget, given back when it goes. The budget outlives it.
class MemoryCharge final
{
public:
    MemoryCharge() = default;
    explicit MemoryCharge(MemoryBudget &budget)
        : m_budget(&budget)
    {
    }
    MemoryCharge(MemoryCharge &&other) noexcept
        : m_budget(std::exchange(other.m_budget, nullptr))
        , m_bytes(std::exchange(other.m_bytes, 0))
    {
    }
    MemoryCharge &operator=(MemoryCharge &&other) noexcept
    {
        std::swap(m_budget, other.m_budget);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }
    MemoryCharge(const MemoryCharge &) = delete;
    MemoryCharge &operator=(const MemoryCharge &) = delete;
    ~MemoryCharge()
    {
        if (m_budget)
            m_budget->m_used -= m_bytes;
    }

    // Holds at least `bytes`; false, and nothing changes, when the budget does not allow it.
    [[nodiscard]] bool raiseTo(std::size_t bytes)
    {
        if (bytes <= m_bytes)
            return true;
        if (!m_budget || bytes - m_bytes > m_budget->m_limit - m_budget->m_used
            || m_budget->m_used > m_budget->m_limit)
            return false;
        m_budget->m_used += bytes - m_bytes;
        m_bytes = bytes;
        return true;
    }

private:
    MemoryBudget *m_budget = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace headway::net
