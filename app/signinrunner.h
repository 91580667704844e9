// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/engine/plancredential.h"
#include "ui/models/signinstep.h"

#include <QObject>

#include <memory>

namespace headway::engine {
class PlanLogin;
} // namespace headway::engine

namespace headway::app {

// Runs sign-ins to the ChatGPT plan for the window, one at a time.
class SignInRunner final : public QObject
{
    Q_OBJECT

public:
    explicit SignInRunner(engine::PlanOptions options, QObject *parent = nullptr);
    ~SignInRunner() override;

public Q_SLOTS:
    void start(); // one that is under way is given up
    void cancel();

Q_SIGNALS:
    void moved(const headway::ui::SignInStep &step);

private:
    void end(const ui::SignInStep &step);

    engine::PlanOptions m_options;
    std::unique_ptr<engine::PlanLogin> m_login; // under way
};

} // namespace headway::app
