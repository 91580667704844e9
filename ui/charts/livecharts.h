// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timechart.h"

namespace headway::ui {

// Turn starts per second, stacked by kind; the provider's rejections as marks.
class StartsChart final : public TimeChart
{
    Q_OBJECT

public:
    explicit StartsChart(QWidget *parent = nullptr);
    [[nodiscard]] std::vector<LegendItem> legend() const override;
    [[nodiscard]] std::vector<QString> readout(const Column *column) const override;

private:
    void rebuild(const ChartFrame &frame) override;
    void recolor() override;
    [[nodiscard]] QString leftLabel(double value) const override;

    Areas m_areas;
};

// Wait for admission: median, 95th percentile, maximum; queue length on the right axis.
class WaitChart final : public TimeChart
{
    Q_OBJECT

public:
    explicit WaitChart(QWidget *parent = nullptr);
    [[nodiscard]] std::vector<LegendItem> legend() const override;
    [[nodiscard]] std::vector<QString> readout(const Column *column) const override;

private:
    void rebuild(const ChartFrame &frame) override;
    void recolor() override;
    [[nodiscard]] QString leftLabel(double value) const override;

    QValueAxis *m_queueAxis;
    Areas m_queue;
    Areas m_p95;
};

// Share of turns continued on their head and share of input tokens the provider had cached;
// warnings as marks.
class ReuseChart final : public TimeChart
{
    Q_OBJECT

public:
    explicit ReuseChart(QWidget *parent = nullptr);
    [[nodiscard]] std::vector<LegendItem> legend() const override;
    [[nodiscard]] std::vector<QString> readout(const Column *column) const override;

private:
    void rebuild(const ChartFrame &frame) override;
    void recolor() override;
    [[nodiscard]] QString leftLabel(double value) const override;

    Areas m_reuse;
};

// Connections opened in the last minute against the ceiling that `auto` has learned, and what the
// spacing between two of them comes to.
class OpeningsChart final : public TimeChart
{
    Q_OBJECT

public:
    explicit OpeningsChart(QWidget *parent = nullptr);
    [[nodiscard]] std::vector<LegendItem> legend() const override;
    [[nodiscard]] std::vector<QString> readout(const Column *column) const override;

private:
    void rebuild(const ChartFrame &frame) override;
    void recolor() override;

    Areas m_openings;
};

// Tokens in the bucket; below zero is debt: openings promised ahead of the rate.
class LevelChart final : public TimeChart
{
    Q_OBJECT

public:
    explicit LevelChart(QWidget *parent = nullptr);
    [[nodiscard]] std::vector<LegendItem> legend() const override;
    [[nodiscard]] std::vector<QString> readout(const Column *column) const override;

private:
    void rebuild(const ChartFrame &frame) override;
    void recolor() override;

    Areas m_level;
    Areas m_debt;
};

} // namespace headway::ui
