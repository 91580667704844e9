// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/clientcard.h"

#include "ui/format/appearance.h"
#include "ui/format/palette.h"
#include "ui/panels/wrappedlabel.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace headway::ui {

ClientCard::ClientCard(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_hint(new QLabel(this))
    , m_outcome(new WrappedLabel(this))
    , m_write(new QPushButton(tr("Write"), this))
    , m_restore(new QPushButton(tr("Restore"), this))
    , m_edit(new QPlainTextEdit(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto *title = new QLabel(name, this);
    title->setFont(bolder(font()));
    auto *copy = new QPushButton(tr("Copy"), this);
    copy->setAccessibleName(tr("Copy the lines for %1").arg(name));
    m_write->setAccessibleName(tr("Write the lines into the configuration of %1").arg(name));
    m_restore->setAccessibleName(tr("Restore the configuration of %1").arg(name));
    m_write->setObjectName(QStringLiteral("write_client"));
    m_restore->setObjectName(QStringLiteral("restore_client"));
    m_edit->setReadOnly(true);
    m_edit->setTabChangesFocus(true);
    m_edit->setAccessibleName(tr("Lines for %1").arg(name));
    adoptFont();
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_outcome->setObjectName(QStringLiteral("client_outcome"));
    connect(copy, &QPushButton::clicked, this, [this] { Q_EMIT copyRequested(m_client.text); });
    connect(m_write, &QPushButton::clicked, this, &ClientCard::writeRequested);
    connect(m_restore, &QPushButton::clicked, this, &ClientCard::restoreRequested);
    auto *head = new QHBoxLayout;
    head->addWidget(title);
    head->addWidget(m_hint, 1);
    for (QPushButton *button : {copy, m_write, m_restore})
        head->addWidget(button);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->addLayout(head);
    layout->addWidget(m_outcome);
    layout->addWidget(m_edit);
}

void ClientCard::setClient(const ClientSetup &client)
{
    m_client = client;
    m_hint->setText(client.hint);
    m_write->setVisible(!client.file.isEmpty());
    m_write->setToolTip(
        tr("Writes the lines into %1 and keeps what it holds now beside it").arg(client.file));
    m_restore->setVisible(!client.file.isEmpty());
    m_restore->setEnabled(client.canRestore);
    m_restore->setToolTip(
        client.canRestore ? tr("Puts back what %1 held before Headway wrote it").arg(client.file)
                          : tr("Headway has not written %1").arg(client.file));
    const Meaning meaning = client.isWell ? Meaning::Done : Meaning::Failed;
    m_outcome->setText(QString(QChar(sign(meaning).glyph)) + u' ' + client.outcome);
    m_outcome->setVisible(!client.outcome.isEmpty());
}

void ClientCard::setShownText(const QString &text)
{
    m_edit->setPlainText(text);
    fitHeight();
}

void ClientCard::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    adoptFont();
    fitHeight();
}

// Letters of one width, as large as a person has all the others.
void ClientCard::adoptFont()
{
    QFont even = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (font().pointSizeF() > 0)
        even.setPointSizeF(font().pointSizeF());
    else
        even.setPixelSize(font().pixelSize());
    m_edit->setFont(even);
}

void ClientCard::fitHeight()
{
    const int lines = m_edit->blockCount();
    m_edit->setFixedHeight(QFontMetrics(m_edit->font()).lineSpacing() * (lines + 1) + 12);
}

} // namespace headway::ui
