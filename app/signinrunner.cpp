// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signinrunner.h"

#include "proxy/engine/planlogin.h"

#include <utility>

namespace headway::app {

using engine::PlanLogin;
using Phase = ui::SignInStep::Phase;

SignInRunner::SignInRunner(engine::PlanOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
}

SignInRunner::~SignInRunner() = default;

void SignInRunner::start()
{
    m_login = std::make_unique<PlanLogin>(m_options);
    Q_EMIT moved({.phase = Phase::Asking});
    connect(m_login.get(), &PlanLogin::codeReady, this,
            [this](const QString &page, const QString &code, int minutes) {
                Q_EMIT moved(
                    {.phase = Phase::Waiting, .page = page, .code = code, .minutes = minutes});
            });
    connect(m_login.get(), &PlanLogin::finished, this, [this] { end({.phase = Phase::Done}); });
    connect(m_login.get(), &PlanLogin::failed, this,
            [this](const QString &reason) { end({.phase = Phase::Failed, .reason = reason}); });
    m_login->signIn();
}

void SignInRunner::cancel()
{
    m_login.reset();
}

// By a signal of the one that ends.
void SignInRunner::end(const ui::SignInStep &step)
{
    m_login->disconnect(this);
    m_login.release()->deleteLater();
    Q_EMIT moved(step);
}

} // namespace headway::app
