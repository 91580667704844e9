// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/evidencedialog.h"

#include "ui/format/evidencewords.h"
#include "ui/format/figures.h"
#include "ui/models/minutemodel.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/recordtable.h"
#include "ui/panels/spanchoice.h"
#include "ui/views/textfilter.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headway::ui {

namespace {

constexpr int fastestRate = 6'000;

} // namespace

EvidenceDialog::EvidenceDialog(QWidget *parent)
    : QDialog(parent)
    , m_span(new SpanChoice(this))
    , m_rate(new QSpinBox(this))
    , m_state(new QLabel(this))
    , m_content(new QWidget(this))
    , m_empty(new EmptyState(m_content, this))
    , m_figures(new QGridLayout)
    , m_minutes(new MinuteModel(this))
    , m_table(new RecordTable(tr("Minutes that stand out"), {20, 12, 12, 12, 40}, MinuteModel::Why,
                              this))
    , m_note(new QLabel(this))
{
    setWindowTitle(tr("Evidence behind the rate"));
    setObjectName(QStringLiteral("evidence"));
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 34);
    m_table->setObjectName(QStringLiteral("evidence_table"));
    auto *sorted = new TextFilter(this);
    sorted->setSourceModel(m_minutes);
    m_table->setModel(sorted);
    buildFigures();
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setText(tr("Learned from this account's own traffic: a correlation, never the "
                       "provider's limit."));
    auto *content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->addLayout(m_figures);
    content->addWidget(m_table, 1);
    content->addWidget(m_note);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(buildChoice());
    layout->addWidget(m_empty, 1);
    layout->addWidget(buttons);
}

QWidget *EvidenceDialog::buildChoice()
{
    m_span->setObjectName(QStringLiteral("evidence_span"));
    m_rate->setObjectName(QStringLiteral("evidence_rate"));
    m_rate->setAccessibleName(tr("Rate to judge by"));
    m_rate->setRange(0, fastestRate);
    m_rate->setSpecialValueText(tr("the rate that was set"));
    m_rate->setSuffix(tr(" a minute"));
    m_state->setObjectName(QStringLiteral("evidence_state"));
    auto *span = new QLabel(tr("&Span"), this);
    auto *rate = new QLabel(tr("&Judge by"), this);
    span->setBuddy(m_span);
    rate->setBuddy(m_rate);
    auto *again = new QPushButton(tr("&Read again"), this);
    again->setObjectName(QStringLiteral("evidence_again"));
    connect(again, &QPushButton::clicked, this, &EvidenceDialog::ask);
    connect(m_span, &QComboBox::currentIndexChanged, this, &EvidenceDialog::ask);
    connect(m_rate, &QSpinBox::valueChanged, this, &EvidenceDialog::ask);
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(span);
    layout->addWidget(m_span);
    layout->addWidget(rate);
    layout->addWidget(m_rate);
    layout->addWidget(again);
    layout->addWidget(m_state, 1);
    return bar;
}

void EvidenceDialog::setLedgerElsewhere(const QString &address)
{
    m_elsewhere = address;
}

void EvidenceDialog::setRateInForce(double perMinute)
{
    m_inForce = perMinute;
}

void EvidenceDialog::ask()
{
    if (!m_elsewhere.isEmpty()) {
        showMessage(tr("The ledger is not on this machine"),
                    tr("It lies with the proxy at %1. Run \"headway ledger evidence\" there: it "
                       "prints this table.")
                        .arg(m_elsewhere));
        return;
    }
    m_state->setText(tr("counting…"));
    const bool isAnother = m_rate->value() > 0;
    Q_EMIT wanted({.sinceMsAgo = m_span->sinceMsAgo(),
                   .rate = isAnother ? m_rate->value() : m_inForce,
                   .isAnother = isAnother});
}

void EvidenceDialog::show(const EvidenceAnswer &answer)
{
    m_state->clear();
    if (!answer.evidence) {
        showMessage(tr("The ledger could not be read"), answer.trouble);
        return;
    }
    if (answer.evidence->openings == 0 && answer.evidence->rejections == 0) {
        showMessage(tr("No connection was opened in this span"),
                    tr("Choose a longer span, or let agents work through Headway for a while: each "
                       "connection that is opened or rejected counts here."));
        return;
    }
    m_minutes->show(*answer.evidence);
    showFigures(*answer.evidence);
    m_empty->setEmpty(false);
}

void EvidenceDialog::buildFigures()
{
    for (const auto &[name, value] : evidenceFigures({})) {
        const int row = static_cast<int>(m_values.size());
        auto *title = new QLabel(name, this);
        title->setForegroundRole(QPalette::PlaceholderText);
        auto *label = new QLabel(this);
        label->setObjectName(QStringLiteral("evidence_figure_%1").arg(row));
        label->setAccessibleName(name);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_figures->addWidget(title, row, 0, Qt::AlignTop);
        m_figures->addWidget(label, row, 1);
        m_values.push_back(label);
    }
    m_figures->setColumnStretch(1, 1);
    m_figures->setHorizontalSpacing(fontMetrics().averageCharWidth() * 3);
}

void EvidenceDialog::showFigures(const ledger::Evidence &evidence)
{
    const auto figures = evidenceFigures(evidence);
    for (std::size_t row = 0; row < figures.size(); ++row)
        m_values[row]->setText(figures[row].second);
}

void EvidenceDialog::showMessage(const QString &title, const QString &text)
{
    m_state->clear();
    m_empty->setMessage(title, text);
    m_empty->setEmpty(true);
}

} // namespace headway::ui
