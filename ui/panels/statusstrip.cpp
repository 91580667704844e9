// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/statusstrip.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"
#include "ui/panels/exportprogress.h"
#include "ui/panels/figurelabel.h"
#include "ui/panels/signlabel.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <cmath>

namespace headway::ui {

StatusStrip::StatusStrip(QWidget *parent)
    : QWidget(parent)
    , m_message(new SignLabel(this))
    , m_undo(new QPushButton(tr("Undo"), this))
    , m_export(new ExportProgress(this))
    , m_notices(new SignLabel(this))
    , m_ledger(new SignLabel(this))
    , m_conserved(new SignLabel(this))
    , m_cost(new FigureLabel(this))
{
    m_message->setObjectName(QStringLiteral("status_message"));
    m_ledger->setObjectName(QStringLiteral("status_ledger"));
    m_notices->setObjectName(QStringLiteral("status_notices"));
    m_undo->setObjectName(QStringLiteral("status_undo"));
    m_undo->setAccessibleName(tr("Undo the last change"));
    m_undo->setFlat(true);
    m_undo->hide();
    m_notices->hide();
    m_conserved->setObjectName(QStringLiteral("status_conserved"));
    m_conserved->hide();
    m_cost->setObjectName(QStringLiteral("status_cost"));
    m_cost->setForegroundRole(QPalette::PlaceholderText);
    m_cost->setToolTip(tr("What this program costs the machine: CPU of one core, memory"));
    m_cost->setFigure(unknown());
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 2, 10, 2);
    layout->setSpacing(12);
    layout->addWidget(m_message);
    layout->addWidget(m_undo);
    layout->addStretch(1);
    layout->addWidget(m_export);
    layout->addWidget(m_notices);
    layout->addWidget(m_ledger);
    layout->addWidget(m_conserved);
    layout->addWidget(m_cost);
    m_message->setWord({Meaning::Done, idleGlyph, tr("Nothing was changed yet")});
    connect(m_export, &ExportProgress::cancelRequested, this, &StatusStrip::exportCancelled);
    connect(m_undo, &QPushButton::clicked, this, &StatusStrip::undoRequested);
}

void StatusStrip::apply(const live::Snapshot &snapshot)
{
    if (!snapshot.changes.empty()) {
        const live::ChangeMark &last = snapshot.changes.back();
        m_message->setWord(
            {Meaning::Active, u'◇',
             tr("%1  %2 %3").arg(clockTime(last.at), changeText(last), whoWords(last.who))});
    }
    const auto notices = static_cast<int>(snapshot.notices.size());
    m_notices->setVisible(notices > 0);
    if (notices > 0) {
        m_notices->setWord({Meaning::Waiting, warningGlyph, tr("%n notice(s)", nullptr, notices)});
        QStringList all;
        for (const std::string &notice : snapshot.notices)
            all << text(notice).toHtmlEscaped();
        m_notices->setToolTip(all.join(QStringLiteral("<br>")));
    }
    showLedger(snapshot);
    showCost();
}

void StatusStrip::showCost()
{
    if (const auto cost = m_meter.look())
        m_cost->setFigure(
            tr("%1\u00a0% CPU · %2")
                .arg(decimal(cost->cores * 100),
                     cost->residentBytes > 0 ? bytes(cost->residentBytes) : unknown()));
}

void StatusStrip::showLedger(const live::Snapshot &snapshot)
{
    const QString records = tr("Ledger: %1 records").arg(count(snapshot.totals.records));
    if (snapshot.ledgerState == "ok" || snapshot.ledgerState.empty())
        m_ledger->setWord({Meaning::Done, sign(Meaning::Done).glyph, records});
    else
        m_ledger->setWord(
            {Meaning::Failed, warningGlyph, tr("%1, %2").arg(records, text(snapshot.ledgerState))});
}

void StatusStrip::showConservation(const ConservationState &state)
{
    m_conserved->setVisible(state.trouble.isEmpty());
    if (state.disagreements > 0) {
        m_conserved->setWord(
            {Meaning::Failed, sign(Meaning::Failed).glyph,
             tr("%n disagreement(s)", nullptr, static_cast<int>(state.disagreements))});
        m_conserved->setToolTip(
            tr("The ledger contradicts itself, so totals drawn from it may be wrong. The first: "
               "%1. \"headway ledger verify\" lists them all.")
                .arg(state.first));
    } else if (state.share < 1) {
        m_conserved->setWord(
            {Meaning::Done, idleGlyph,
             tr("verifying… %1").arg(percent(std::floor(state.share * 100) / 100))});
        m_conserved->setToolTip(tr("The ledger's own account is being gone over."));
    } else {
        m_conserved->setWord({Meaning::Done, sign(Meaning::Done).glyph, tr("conserved")});
        m_conserved->setToolTip(tr("Every turn and every admission request in the ledger ended "
                                   "exactly once, and no record is missing."));
    }
}

void StatusStrip::setUndoPossible(bool isPossible)
{
    m_undo->setVisible(isPossible);
}

void StatusStrip::showMessage(bool ok, const QString &text)
{
    const Meaning meaning = ok ? Meaning::Done : Meaning::Failed;
    m_message->setWord({meaning, sign(meaning).glyph, text});
}

void StatusStrip::showExport(std::optional<quint64> records, double share)
{
    m_export->show(records, share);
}

void StatusStrip::finishExport()
{
    m_export->finish();
}

} // namespace headway::ui
