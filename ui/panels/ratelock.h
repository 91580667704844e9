// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace headway::ui {

// The lock of the rate (setting rate_pinned): closed, no policy goes above it.
class RateLock final : public QToolButton
{
    Q_OBJECT

public:
    explicit RateLock(const QString &prefix, QWidget *parent = nullptr);

    // Shows what is in force, as text; whether it was clicked is for the caller.
    void showValue(const QString &value);
    [[nodiscard]] QString value() const; // "true" or "false"
    // Why it changes nothing at present; empty: it counts.
    void setWithoutEffect(const QString &reason);

Q_SIGNALS:
    void edited(const QString &value);

protected:
    void changeEvent(QEvent *event) override;

private:
    void draw();

    QString m_reason;
};

} // namespace headway::ui
