// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setupview.h"

#include "ui/panels/doctorcard.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/upstreamcard.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

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
    rebuild();
}

void SetupView::rebuild()
{
    while (QLayoutItem *item = m_list->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_edits.clear();
    for (const ClientSetup &client : m_texts.clients)
        addClient(client);
    m_reveal->setVisible(!m_texts.accessKey.isEmpty());
    m_empty->setEmpty(m_texts.clients.empty());
    showTexts();
}

void SetupView::addClient(const ClientSetup &client)
{
    auto *box = new QWidget(m_page);
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto *title = new QLabel(client.name, box);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    auto *copy = new QPushButton(tr("Copy"), box);
    copy->setAccessibleName(tr("Copy the lines for %1").arg(client.name));
    connect(copy, &QPushButton::clicked, this,
            [this, text = client.text] { Q_EMIT copyRequested(text); });
    auto *edit = new QPlainTextEdit(box);
    edit->setReadOnly(true);
    edit->setTabChangesFocus(true);
    edit->setAccessibleName(tr("Lines for %1").arg(client.name));
    edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    const int lines = static_cast<int>(client.text.count(u'\n')) + 1;
    edit->setFixedHeight(QFontMetrics(edit->font()).lineSpacing() * (lines + 1) + 12);
    m_edits.push_back(edit);
    auto *hint = new QLabel(client.hint, box);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto *head = new QHBoxLayout;
    head->addWidget(title);
    head->addWidget(hint, 1);
    head->addWidget(copy);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->addLayout(head);
    layout->addWidget(edit);
    m_list->addWidget(box);
}

void SetupView::showTexts()
{
    for (std::size_t i = 0; i < m_edits.size(); ++i)
        m_edits[i]->setPlainText(masked(m_texts.clients[i].text));
}

QString SetupView::masked(const QString &text) const
{
    QString shown = text;
    if (!m_texts.accessKey.isEmpty() && !m_reveal->isChecked())
        shown.replace(m_texts.accessKey, QStringLiteral("••••••••"));
    return shown;
}

} // namespace headway::ui
