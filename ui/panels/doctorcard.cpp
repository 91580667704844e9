// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/doctorcard.h"

#include "ui/format/appearance.h"
#include "ui/format/palette.h"
#include "ui/panels/wrappedlabel.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headway::ui {

namespace {

using Phase = DoctorState::Phase;

QLabel *wrapped(QWidget *parent)
{
    auto *label = new WrappedLabel(parent);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

DoctorCard::DoctorCard(QWidget *parent)
    : QWidget(parent)
    , m_text(wrapped(this))
    , m_button(new QPushButton(tr("Look at everything"), this))
    , m_list(new QVBoxLayout)
{
    auto *title = new QLabel(tr("Doctor"), this);
    title->setFont(bolder(font()));
    m_text->setObjectName(QStringLiteral("doctor_text"));
    m_text->setText(tr("Looks at the settings, the port, the credential, the upstream, the clock "
                       "and the disk. It changes nothing and sends no turn."));
    m_button->setObjectName(QStringLiteral("doctor_run"));
    m_button->setAccessibleName(m_button->text());
    m_button->setAccessibleDescription(m_text->text());
    connect(m_button, &QPushButton::clicked, this, &DoctorCard::requested);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->setColumnStretch(0, 1);
    layout->addWidget(title, 0, 0);
    layout->addWidget(m_text, 1, 0);
    layout->addWidget(m_button, 0, 1, 2, 1, Qt::AlignVCenter);
    layout->addLayout(m_list, 2, 0, 1, 2);
}

void DoctorCard::show(const DoctorState &state)
{
    for (QWidget *row : std::exchange(m_rows, {}))
        delete row;
    m_button->setEnabled(state.phase != Phase::Looking);
    const auto wrong = std::ranges::count(state.findings, false, &Finding::isOk);
    if (state.phase == Phase::Looking)
        m_text->setText(tr("Looking … this takes up to half a minute."));
    else if (state.phase == Phase::Failed)
        m_text->setText(tr("Nothing was looked at: %1").arg(state.reason));
    else if (wrong > 0)
        m_text->setText(
            tr("%n thing(s) to put right, marked below.", nullptr, static_cast<int>(wrong)));
    else
        m_text->setText(tr("All is well."));
    for (const Finding &finding : state.findings)
        addFinding(finding);
}

void DoctorCard::addFinding(const Finding &finding)
{
    const Meaning meaning = finding.isOk ? Meaning::Done : Meaning::Failed;
    auto *row = new QWidget(this);
    auto *layout = new QGridLayout(row);
    layout->setContentsMargins(0, 2, 0, 2);
    layout->setColumnStretch(1, 1);
    auto *glyph = new QLabel(QString(QChar(sign(meaning).glyph)), row);
    glyph->setPalette(inked(palette(), color(meaning, palette())));
    glyph->setAccessibleName(finding.isOk ? tr("well") : tr("to put right"));
    QLabel *words = wrapped(row);
    words->setObjectName(QStringLiteral("finding"));
    words->setText(
        tr("%1: %2", "what was looked at: what was found").arg(finding.check, finding.text));
    words->setAccessibleName(glyph->accessibleName() + u' ' + words->text());
    if (!finding.isOk)
        words->setFont(bolder(font()));
    layout->addWidget(glyph, 0, 0, Qt::AlignTop);
    layout->addWidget(words, 0, 1);
    m_list->addWidget(row);
    m_rows.push_back(row);
}

void DoctorCard::setUnavailable(const QString &reason)
{
    m_button->setEnabled(reason.isEmpty());
    if (!reason.isEmpty())
        m_text->setText(reason);
}

} // namespace headway::ui
