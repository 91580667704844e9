// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/exportprogress.h"

#include "ui/format/figures.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

namespace headway::ui {

ExportProgress::ExportProgress(QWidget *parent)
    : QWidget(parent)
    , m_bar(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    m_bar->setObjectName(QStringLiteral("export_progress"));
    m_bar->setAccessibleName(tr("Export"));
    m_bar->setRange(0, 100);
    m_bar->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    m_cancel->setObjectName(QStringLiteral("export_cancel"));
    m_cancel->setAccessibleName(tr("Cancel the export"));
    m_cancel->setFlat(true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_bar);
    layout->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        Q_EMIT cancelRequested();
    });
    hide();
}

void ExportProgress::show(std::optional<quint64> records, double share)
{
    const auto percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100);
    m_bar->setValue(percent);
    m_bar->setFormat(records ? tr("%1 records, %p %").arg(count(*records)) : tr("%p %"));
    if (!isHidden())
        return;
    m_cancel->setEnabled(true);
    setVisible(true);
}

void ExportProgress::finish()
{
    hide();
}

} // namespace headway::ui
