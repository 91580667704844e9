// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setupview.h"

#include "ui/panels/clientcard.h"
#include "ui/panels/doctorcard.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/upstreamcard.h"

#include <QCheckBox>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace headway::ui {

SetupView::SetupView(QWidget *parent)
    : QWidget(parent)
    , m_page(new QWidget)
    , m_upstream(new UpstreamCard)
    , m_list(new QVBoxLayout)
    , m_notify(new QCheckBox(tr("Desktop notifications of trouble")))
    , m_doctor(new DoctorCard)
    , m_reveal(new QCheckBox(tr("Show the access key")))
{
    auto *clients = new QVBoxLayout(m_page);
    clients->setContentsMargins(0, 0, 0, 0);
    clients->addWidget(m_reveal);
    clients->addLayout(m_list);
    clients->addStretch(1);
    m_reveal->setObjectName(QStringLiteral("reveal_key"));
    m_reveal->setAccessibleName(m_reveal->text());
    connect(m_reveal, &QCheckBox::toggled, this, &SetupView::showTexts);
    m_empty = new EmptyState(m_page);
    m_empty->setMessage(
        tr("Not listening"),
        tr("As soon as the proxy listens, the lines for Claude Code, Codex and curl "
           "stand here."));
    m_empty->setEmpty(true);
    auto *all = new QWidget;
    auto *page = new QVBoxLayout(all);
    page->setContentsMargins(16, 12, 16, 12);
    page->addWidget(m_upstream);
    page->addWidget(m_empty, 1);
    page->addWidget(m_notify);
    page->addWidget(m_doctor);
    m_notify->setObjectName(QStringLiteral("notify"));
    m_notify->setAccessibleName(m_notify->text());
    m_notify->setToolTip(tr("At most one of a kind in a while, and none while the window is in "
                            "front of you"));
    connect(m_notify, &QCheckBox::clicked, this, &SetupView::notificationsChosen);
    connect(m_upstream, &UpstreamCard::signInRequested, this, &SetupView::signInRequested);
    auto *scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Setup"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(all);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

void SetupView::apply(const live::Snapshot &snapshot)
{
    m_upstream->apply(snapshot);
}

void SetupView::setElsewhere(const QString &address)
{
    m_upstream->setElsewhere(address);
    m_doctor->setUnavailable(
        tr("\"headway doctor\" looks at everything where the proxy at %1 runs.").arg(address));
}

void SetupView::showNotifications(bool areWanted)
{
    m_notify->setChecked(areWanted);
}

void SetupView::setTexts(const SetupTexts &texts)
{
    if (m_texts == texts)
        return;
    m_texts = texts;
    if (m_cards.size() != m_texts.clients.size())
        rebuild(); // else the buttons stay, one of which may have been pressed for this
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setClient(m_texts.clients[i]);
    m_reveal->setVisible(!m_texts.accessKey.isEmpty());
    m_empty->setEmpty(m_texts.clients.empty());
    showTexts();
}

void SetupView::rebuild()
{
    for (ClientCard *card : std::exchange(m_cards, {}))
        delete card;
    for (const ClientSetup &client : m_texts.clients)
        addClient(client.name);
}

void SetupView::addClient(const QString &name)
{
    auto *card = new ClientCard(name, m_page);
    connect(card, &ClientCard::copyRequested, this, &SetupView::copyRequested);
    connect(card, &ClientCard::writeRequested, this, [this, name] { Q_EMIT writeRequested(name); });
    connect(card, &ClientCard::restoreRequested, this,
            [this, name] { Q_EMIT restoreRequested(name); });
    m_list->addWidget(card);
    m_cards.push_back(card);
}

void SetupView::showTexts()
{
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setShownText(masked(m_texts.clients[i].text));
}

QString SetupView::masked(const QString &text) const
{
    QString shown = text;
    if (!m_texts.accessKey.isEmpty() && !m_reveal->isChecked())
        shown.replace(m_texts.accessKey, QStringLiteral("••••••••"));
    return shown;
}

} // namespace headway::ui
