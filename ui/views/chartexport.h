// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/report.h"

#include <QObject>
#include <QSize>
#include <QThread>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace headway::ui {

class ChartPicture;
class LiveView;

// Exports the charts: paints them between the window's frames, and writes the file on a thread of
// its own. One at a time.
class ChartExport final : public QObject
{
    Q_OBJECT

public:
    explicit ChartExport(const LiveView &view, QObject *parent = nullptr); // the view outlives it
    ~ChartExport() override; // cancels the one at work

    void startPicture(const QString &path, int seconds); // PNG
    // PDF; the charts are put into the report once they are painted.
    void startReport(const QString &path, int seconds, const Report &report);
    void cancel(); // the one at work ends soon and leaves nothing
    [[nodiscard]] bool isAtWork() const { return m_isAtWork; }

Q_SIGNALS:
    void progressed(double share); // 0 to 1
    void finished(bool ok, const QString &text);

private:
    using Writer = std::function<QString(const QImage &charts)>; // empty, or why not
    void start(const QString &path, int seconds, const QSize &size, Writer writer);
    void write(const QImage &charts);
    void end(const QString &trouble);
    [[nodiscard]] bool mayKeep(); // asked by the thread, before the file gets its name

    const LiveView &m_view;
    std::unique_ptr<ChartPicture> m_picture; // while it is painted
    std::unique_ptr<QThread> m_thread; // while it is written
    Writer m_writer;
    QString m_path;
    // Until one of the two comes first.
    enum class Fate : std::uint8_t { Open, Kept, Cancelled };
    std::atomic<Fate> m_fate = Fate::Open;
    bool m_isAtWork = false;
};

} // namespace headway::ui
