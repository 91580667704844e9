// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/format/palette.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace headway::ui {

class QuotaGauge;

// The account's quota windows with their reset clocks, in one row; no room while none is known.
class QuotaView final : public QWidget
{
    Q_OBJECT

public:
    explicit QuotaView(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);

private:
    QHBoxLayout *m_layout;
    std::vector<QuotaGauge *> m_gauges;
};

// One window: name, how much is used, when it resets; a bar as the second sign.
class QuotaGauge final : public QWidget
{
    Q_OBJECT

public:
    explicit QuotaGauge(QWidget *parent = nullptr);

    void setQuota(const pacing::QuotaWindow &window, base::WallTime now);
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text; // "5 h quota 41 %, resets 14:20"
    double m_share = 0; // of 1
    Meaning m_meaning = Meaning::Active;
};

} // namespace headway::ui
