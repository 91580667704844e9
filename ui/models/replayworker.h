// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/replayrequest.h"

#include <QObject>

namespace headway::ui {

// Reads arrivals and replays them, on whatever thread it lives on; blocks it meanwhile. Keeps the
// arrivals of the last source, so that other settings need no second reading.
class ReplayWorker final : public QObject
{
    Q_OBJECT

public:
    explicit ReplayWorker(LedgerReader ledger, QObject *parent = nullptr);

public Q_SLOTS:
    void run(const headway::ui::ReplayRequestPointer &request);

Q_SIGNALS:
    void finished(const headway::ui::ReplayResultPointer &result);

private:
    using Arrivals = tl::expected<std::vector<lab::Arrival>, QString>;
    [[nodiscard]] Arrivals read(const ReplaySource &source) const;

    LedgerReader m_ledger;
    ReplaySource m_source;
    bool m_hasRead = false;
    Arrivals m_arrivals; // of m_source, once it was read
};

// The arrivals of a scenario file (spec/lab.md); the error names file, line and key.
[[nodiscard]] tl::expected<std::vector<lab::Arrival>, QString>
arrivalsOfScenario(const QString &path);

} // namespace headway::ui
