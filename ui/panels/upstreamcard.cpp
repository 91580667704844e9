// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/upstreamcard.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/signinwords.h"
#include "ui/format/words.h"
#include "ui/panels/signlabel.h"
#include "ui/panels/upstreamform.h"
#include "ui/panels/wrappedlabel.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace headway::ui {

UpstreamCard::UpstreamCard(QWidget *parent)
    : QWidget(parent)
    , m_name(new QLabel(this))
    , m_word(new SignLabel(this))
    , m_text(new WrappedLabel(this))
    , m_button(new QPushButton(this))
    , m_form(new UpstreamForm(this))
{
    m_name->setFont(bolder(font()));
    m_name->setTextFormat(Qt::PlainText);
    m_text->setObjectName(QStringLiteral("credential"));
    m_button->setObjectName(QStringLiteral("sign_in"));
    connect(m_button, &QPushButton::clicked, this, &UpstreamCard::signInRequested);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 6);
    layout->addWidget(m_name, 0, 0);
    layout->addWidget(m_word, 0, 1);
    layout->addWidget(m_text, 1, 0, 1, 2);
    layout->addWidget(m_button, 0, 2, 2, 1, Qt::AlignVCenter);
    layout->addWidget(m_form, 2, 0, 1, 3);
    layout->setColumnStretch(1, 1);
    connect(m_form, &UpstreamForm::chosen, this, &UpstreamCard::chosen);
    showSignIn();
}

void UpstreamCard::apply(const live::Snapshot &snapshot)
{
    if (m_upstream == snapshot.upstream && m_state == snapshot.upstreamState
        && m_signIn == snapshot.signIn)
        return;
    m_upstream = snapshot.upstream;
    m_state = snapshot.upstreamState;
    m_signIn = snapshot.signIn;
    showSignIn();
}

void UpstreamCard::setElsewhere(const QString &address)
{
    if (m_elsewhere == address)
        return;
    m_elsewhere = address;
    showSignIn();
}

void UpstreamCard::offerChoice()
{
    m_isOffered = true;
    showSignIn();
}

void UpstreamCard::withdrawChoice()
{
    m_isOffered = false;
    m_form->clear();
    showSignIn();
}

void UpstreamCard::showRefusal(const QString &reason)
{
    m_form->showRefusal(reason);
}

void UpstreamCard::showSignIn()
{
    using State = live::SignInState;
    const bool isUsed = !m_upstream.empty();
    m_name->setText(isUsed ? tr("Upstream: %1").arg(text(m_upstream)) : tr("Upstream"));
    m_word->setVisible(isUsed);
    m_word->setWord(upstreamWord(m_state));
    QString words = signInWords(m_signIn);
    const bool isChosenHere = !isUsed && m_isOffered;
    m_form->setVisible(isChosenHere);
    if (isChosenHere)
        words = tr("None is in use. Choose one; Headway then listens at once.");
    else if (!isUsed)
        words = tr("None is in use. HEADWAY_UPSTREAM, or upstream= in the settings file, says "
                   "where turns go: openai with OPENAI_API_KEY, chatgpt with a sign-in that is "
                   "made here, or the URL of a Responses endpoint with HEADWAY_UPSTREAM_KEY. Then "
                   "start Headway again.");
    else if (!m_elsewhere.isEmpty() && m_signIn.state == State::Lacking)
        words += u' ' + tr("Sign in on the machine where the proxy at %1 runs.").arg(m_elsewhere);
    m_text->setText(words);
    m_text->setVisible(!words.isEmpty());
    const bool isAsked = m_signIn.state != State::NotAsked && m_signIn.state != State::Looking;
    m_button->setText(m_signIn.state == State::Lacking ? tr("Sign in…") : tr("Sign in again…"));
    m_button->setAccessibleName(m_button->text());
    m_button->setAccessibleDescription(words);
    m_button->setVisible(isAsked && m_elsewhere.isEmpty());
}

} // namespace headway::ui
