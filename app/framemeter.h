// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headway::app {

// What the window's thread pays, in its own CPU time: a busy machine does not count. A frame is all
// that was done since the frame before, the painting included.
class FrameMeter final
{
public:
    FrameMeter();

    void begin(); // an event is delivered
    void end(bool isFrame); // it is over; it painted

    // Forgets what came before: the start of a span.
    void restart();

    // From the start of the process to the end of the first frame ever, and what it cost the whole
    // process, ms; 0: no frame yet.
    [[nodiscard]] double openedMs() const { return m_openedMs; }
    [[nodiscard]] double openedCpuMs() const { return m_openedCpuMs; }

    [[nodiscard]] std::size_t frames() const { return m_frames.size(); }
    [[nodiscard]] double cpuSeconds() const; // of the thread, in this span
    // The frame that this share of the frames does not exceed, ms; 0: no frame.
    [[nodiscard]] double frameMs(double share) const;

private:
    std::vector<float> m_frames; // ms
    std::int64_t m_begun = 0; // ns of the thread's clock
    std::int64_t m_since = 0;
    std::int64_t m_spent = 0; // since the last frame
    double m_openedMs = 0;
    double m_openedCpuMs = 0;
};

} // namespace headway::app
