// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/ledgerview.h"

#include "ui/format/figures.h"
#include "ui/models/ledgermodel.h"
#include "ui/models/ledgerpages.h"
#include "ui/models/recorddetails.h"
#include "ui/models/recordwords.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/figurelabel.h"
#include "ui/panels/recordtable.h"
#include "ui/views/textfilter.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headway::ui {

LedgerView::LedgerView(QWidget *parent)
    : QWidget(parent)
    , m_model(new LedgerModel(LedgerModel::defaultCapacity, this))
    , m_proxy(new TextFilter(this))
    , m_table(new RecordTable(tr("Ledger"), {24, 18, 28, 28, 40}, LedgerModel::What, this))
    , m_empty(new EmptyState(m_table, this))
    , m_kind(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_evidence(new QPushButton(tr("Evidence…"), this))
    , m_export(new QPushButton(tr("Export…"), this))
    , m_details(new QTextBrowser(this))
    , m_count(new FigureLabel(this))
{
    m_proxy->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("ledger_table"));
    m_table->setModel(m_proxy);
    m_empty->setMessage(
        tr("No record yet"),
        tr("Every decision leaves a record here: the first turn, the first setting you "
           "change."));
    m_empty->setEmpty(true);
    m_details->setObjectName(QStringLiteral("ledger_details"));
    m_details->setAccessibleName(tr("Details of the selected record"));
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->setPlaceholderText(tr("Select a record to read all of it."));
    auto *splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_empty);
    splitter->addWidget(m_details);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(splitter, 1);
    connect(m_empty, &EmptyState::clearRequested, this, [this] {
        m_kind->setCurrentIndex(0);
        m_filter->clear();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &LedgerView::showDetails);
}

QWidget *LedgerView::buildBar()
{
    m_count->setObjectName(QStringLiteral("ledger_count"));
    m_kind->setObjectName(QStringLiteral("ledger_kind"));
    m_kind->setAccessibleName(tr("Kind of record"));
    m_kind->addItem(tr("all kinds"));
    m_kind->addItems(recordKinds());
    connect(m_kind, &QComboBox::currentIndexChanged, this, &LedgerView::filter);
    m_filter->setObjectName(QStringLiteral("ledger_filter"));
    m_filter->setAccessibleName(tr("Filter the records"));
    m_filter->setPlaceholderText(tr("Filter (Ctrl+F)"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    connect(m_filter, &QLineEdit::textChanged, this, &LedgerView::filter);
    m_evidence->setObjectName(QStringLiteral("open_evidence"));
    m_evidence->setAccessibleName(tr("Evidence behind the rate"));
    m_evidence->setToolTip(tr("Openings per minute, minutes above the set rate, rejections and the "
                              "estimated ceiling (Ctrl+Shift+E)"));
    connect(m_evidence, &QPushButton::clicked, this, &LedgerView::evidenceRequested);
    m_export->setObjectName(QStringLiteral("export"));
    m_export->setAccessibleName(tr("Export the ledger"));
    connect(m_export, &QPushButton::clicked, this, &LedgerView::exportRequested);
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 4, 8, 4);
    layout->addWidget(m_count);
    layout->addStretch();
    layout->addWidget(m_kind);
    layout->addWidget(m_filter, 1);
    layout->addWidget(m_evidence);
    layout->addWidget(m_export);
    return bar;
}

void LedgerView::apply(const live::SnapshotPointer &snapshot)
{
    m_total = snapshot->totals.records;
    m_pending.insert(m_pending.end(), snapshot->records.begin(), snapshot->records.end());
    if (m_pending.size() > LedgerModel::defaultCapacity)
        m_pending.erase(m_pending.begin(),
                        m_pending.end()
                            - static_cast<std::ptrdiff_t>(LedgerModel::defaultCapacity));
    if (isVisible() && !m_paused)
        take();
}

void LedgerView::setPaused(bool paused)
{
    m_paused = paused;
    if (paused || !isVisible())
        return;
    take();
    lookForMore();
}

void LedgerView::setElsewhere(const QString &address)
{
    m_empty->setMessage(
        tr("No record since this window was attached"),
        tr("New records appear here as they are made. Older ones stand in the ledger of the "
           "machine of %1; \"headway ledger export\" there reads them.")
            .arg(address));
}

void LedgerView::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void LedgerView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_paused)
        return;
    take();
    lookForMore();
}

// Follows the newest record as long as the table is scrolled to its end.
void LedgerView::take()
{
    if (m_pending.empty() || m_usesPages)
        return;
    const QScrollBar *bar = m_table->verticalScrollBar();
    const bool follows = bar->value() >= bar->maximum();
    m_model->append(
        {std::make_move_iterator(m_pending.begin()), std::make_move_iterator(m_pending.end())});
    m_pending.clear();
    m_empty->setEmpty(m_model->rowCount() == 0);
    if (follows)
        m_table->scrollToBottom();
    showCount();
}

void LedgerView::showDetails()
{
    const ledger::Record *record = current();
    if (record != nullptr && record->at != base::WallTime())
        m_details->setHtml(recordDetails(*record));
}

void LedgerView::showCount()
{
    const int shown = m_proxy->rowCount();
    const int kept = m_model->rowCount();
    QString words = tr("Newest %1 of %2 records")
                        .arg(count(static_cast<std::uint64_t>(kept)),
                             count(std::max(m_total, static_cast<std::uint64_t>(kept))));
    if (shown != kept)
        words = tr("%1 shown · %2").arg(count(static_cast<std::uint64_t>(shown)), words);
    if (m_pages != nullptr)
        words += tr(" · the file cannot be read: %1").arg(m_pages->trouble());
    m_count->setFigure(words);
    m_empty->setEmpty(kept == 0);
    m_empty->setAllHidden(kept > 0 && shown == 0, kept);
}

} // namespace headway::ui
