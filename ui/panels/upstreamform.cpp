// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/upstreamform.h"

#include "ui/panels/wrappedlabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace headway::ui {

UpstreamForm::UpstreamForm(QWidget *parent)
    : QWidget(parent)
    , m_kind(new QComboBox(this))
    , m_urlLabel(new QLabel(tr("&Address"), this))
    , m_url(new QLineEdit(this))
    , m_keyLabel(new QLabel(tr("&Key"), this))
    , m_key(new QLineEdit(this))
    , m_anthropic(new QCheckBox(tr("Pass claude-* models straight through to Anthropic"), this))
    , m_use(new QPushButton(tr("Use it"), this))
    , m_words(new WrappedLabel(this))
{
    m_kind->addItems({tr("OpenAI, with an API key"), tr("ChatGPT plan, with a sign-in"),
                      tr("Another Responses endpoint")});
    m_kind->setObjectName(QStringLiteral("upstream_kind"));
    m_kind->setAccessibleName(tr("Where turns go"));
    m_url->setObjectName(QStringLiteral("upstream_url"));
    m_url->setAccessibleName(tr("Address of the endpoint"));
    m_url->setPlaceholderText(QStringLiteral("https://api.example/v1/responses"));
    m_key->setObjectName(QStringLiteral("upstream_key"));
    m_key->setAccessibleName(tr("Key of the upstream"));
    m_key->setEchoMode(QLineEdit::Password);
    m_anthropic->setObjectName(QStringLiteral("upstream_anthropic"));
    m_anthropic->setAccessibleName(m_anthropic->text());
    m_anthropic->setToolTip(tr("For Claude Code with its own login; other models go to the "
                               "upstream above"));
    m_use->setObjectName(QStringLiteral("upstream_use"));
    m_use->setAccessibleName(tr("Use this upstream"));
    m_words->setObjectName(QStringLiteral("upstream_words"));
    m_urlLabel->setBuddy(m_url);
    m_keyLabel->setBuddy(m_key);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &UpstreamForm::adapt);
    connect(m_url, &QLineEdit::textChanged, this, &UpstreamForm::adapt);
    connect(m_use, &QPushButton::clicked, this, &UpstreamForm::choose);
    for (QLineEdit *edit : {m_url, m_key})
        connect(edit, &QLineEdit::returnPressed, m_use, &QPushButton::click);
    build();
    adapt();
}

void UpstreamForm::build()
{
    auto *kind = new QLabel(tr("&Where turns go"), this);
    kind->setBuddy(m_kind);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->addWidget(kind, 0, 0);
    layout->addWidget(m_kind, 0, 1);
    layout->addWidget(m_urlLabel, 1, 0);
    layout->addWidget(m_url, 1, 1);
    layout->addWidget(m_keyLabel, 2, 0);
    layout->addWidget(m_key, 2, 1);
    layout->addWidget(m_anthropic, 3, 1);
    layout->addWidget(m_use, 4, 1, Qt::AlignLeft);
    layout->addWidget(m_words, 5, 0, 1, 3);
    layout->setColumnMinimumWidth(1, fontMetrics().averageCharWidth() * 50);
    layout->setColumnStretch(2, 1);
}

UpstreamForm::Kind UpstreamForm::kind() const
{
    return static_cast<Kind>(m_kind->currentIndex());
}

void UpstreamForm::adapt()
{
    const Kind kind = this->kind();
    m_urlLabel->setVisible(kind == Kind::Endpoint);
    m_url->setVisible(kind == Kind::Endpoint);
    m_keyLabel->setVisible(kind != Kind::Plan);
    m_key->setVisible(kind != Kind::Plan);
    m_key->setPlaceholderText(kind == Kind::OpenAi
                                  ? tr("sk-…; empty: that of OPENAI_API_KEY")
                                  : tr("empty: that of HEADWAY_UPSTREAM_KEY, or none"));
    m_use->setEnabled(kind != Kind::Endpoint || !m_url->text().trimmed().isEmpty());
    m_words->setText(kind == Kind::Plan
                         ? tr("The sign-in comes next: a code to be entered in a browser.")
                         : tr("The key is kept in the settings file, readable by you alone, and "
                              "sent to this upstream only."));
}

void UpstreamForm::choose()
{
    UpstreamChoice choice;
    switch (kind()) {
    case Kind::OpenAi:
        choice.upstream = QStringLiteral("openai");
        break;
    case Kind::Plan:
        choice.upstream = QStringLiteral("chatgpt");
        break;
    case Kind::Endpoint:
        choice.upstream = m_url->text().trimmed();
        break;
    }
    if (m_anthropic->isChecked())
        choice.upstream += QStringLiteral(",anthropic");
    if (kind() != Kind::Plan)
        choice.key = m_key->text().trimmed();
    Q_EMIT chosen(choice);
}

void UpstreamForm::showRefusal(const QString &reason)
{
    m_words->setText(reason);
}

void UpstreamForm::clear()
{
    m_key->clear();
    m_url->clear();
}

} // namespace headway::ui
