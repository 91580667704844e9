// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whypane.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/words.h"
#include "ui/models/recordwords.h"
#include "ui/panels/timingbar.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace headway::ui {

WhyPane::WhyPane(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_reason(new QLabel(this))
    , m_timing(new TimingBar(this))
    , m_timingWords(new QLabel(this))
    , m_facts(new QWidget(this))
    , m_form(new QFormLayout(m_facts))
    , m_phase(addFact(tr("Phase")))
    , m_who(addFact(tr("Agent")))
    , m_model(addFact(tr("Model")))
    , m_dialect(addFact(tr("Dialect")))
    , m_decision(addFact(tr("Decision")))
    , m_age(addFact(tr("Age")))
    , m_wait(addFact(tr("Leaves in")))
    , m_attempt(addFact(tr("Attempt")))
    , m_output(addFact(tr("Output")))
{
    m_title->setFont(bolder(font()));
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setWordWrap(true);
    m_reason->setObjectName(QStringLiteral("why_text"));
    m_reason->setWordWrap(true);
    m_reason->setTextFormat(Qt::PlainText);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_timingWords->setObjectName(QStringLiteral("timing_words"));
    m_timingWords->setWordWrap(true);
    m_timingWords->setFont(smaller(font()));
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_title);
    layout->addWidget(m_reason);
    layout->addSpacing(fontMetrics().height() / 2);
    layout->addWidget(m_timing);
    layout->addWidget(m_timingWords);
    layout->addSpacing(fontMetrics().height() / 2);
    layout->addWidget(m_facts);
    layout->addStretch();
    showTurn();
}

QLabel *WhyPane::addFact(const QString &name)
{
    auto *value = new QLabel(m_facts);
    value->setTextFormat(Qt::PlainText);
    value->setWordWrap(true);
    auto *label = new QLabel(name, m_facts);
    label->setForegroundRole(QPalette::PlaceholderText);
    m_form->addRow(label, value);
    return value;
}

std::optional<base::TurnId> WhyPane::selected() const
{
    return m_turn ? std::optional(m_turn->turn) : std::nullopt;
}

void WhyPane::select(const std::optional<live::TurnRow> &turn)
{
    m_turn = turn;
    m_end.clear();
    showTurn();
}

void WhyPane::apply(const live::Snapshot &snapshot)
{
    if (!m_turn)
        return;
    const auto now = std::ranges::find(snapshot.turns, m_turn->turn, &live::TurnRow::turn);
    if (now != snapshot.turns.end()) {
        if (*now == *m_turn)
            return;
        m_turn = *now;
        m_end.clear();
        showTurn();
        return;
    }
    for (const ledger::Record &record : snapshot.records)
        if (record.turn == m_turn->turn && std::holds_alternative<ledger::TurnEnded>(record.body)) {
            m_end = recordWords(record).text;
            const std::string &reason = std::get<ledger::TurnEnded>(record.body).reason;
            if (!reason.empty())
                m_turn->why = reason;
        }
    if (m_end.isEmpty())
        m_end = tr("no longer in flight");
    showTurn();
}

void WhyPane::showTurn()
{
    for (QWidget *part : std::initializer_list<QWidget *>{m_facts, m_timing, m_timingWords})
        part->setVisible(m_turn.has_value());
    if (!m_turn) {
        m_title->setText(tr("No turn selected"));
        m_reason->setText(
            tr("Select a turn below the charts to read why it waits, where it runs and "
               "what was saved."));
        return;
    }
    m_timing->setSpent(m_turn->spent);
    m_timingWords->setText(m_timing->words());
    showWait();
    m_title->setText(requestId(m_turn->turn.value()));
    if (m_turn->held && m_end.isEmpty())
        m_reason->setText(tr("You hold it back: it gets no new connection until you let it go. "
                             "Its deadlines run on."));
    else
        m_reason->setText(m_turn->why.empty() ? tr("Nothing had to be decided yet.")
                                              : text(m_turn->why));
    m_phase->setText(m_end.isEmpty() ? phaseWord(m_turn->phase).text : m_end);
    m_who->setText(agentWords(m_turn->session, m_turn->agent));
    m_model->setText(text(m_turn->model));
    m_dialect->setText(text(m_turn->dialect));
    m_decision->setText(decisionWords(m_turn->decision, m_turn->place));
    m_age->setText(duration(m_turn->age));
    m_attempt->setText(QString::number(m_turn->attempt));
    m_output->setText(tr("about %1 tokens, %2 events, %3")
                          .arg(count(m_turn->outputTokens), count(m_turn->outputEvents),
                               bytes(m_turn->bytesOut)));
}

void WhyPane::showWait()
{
    if (!waitsToRun(m_turn->phase) || !m_end.isEmpty())
        m_wait->setText(unknown());
    else if (m_turn->held)
        m_wait->setText(tr("when you let it go"));
    else if (m_turn->refusedThen)
        m_wait->setText(
            tr("%1, then it is refused: no connection may be opened for it before its deadline")
                .arg(duration(m_turn->remaining)));
    else if (m_turn->queuePlace > 0)
        m_wait->setText(
            tr("%1, place %2").arg(duration(m_turn->remaining)).arg(m_turn->queuePlace));
    else
        m_wait->setText(duration(m_turn->remaining));
}

} // namespace headway::ui
