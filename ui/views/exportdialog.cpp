// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/exportdialog.h"

#include "ui/panels/spanchoice.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <vector>

namespace headway::ui {

namespace {

struct Format
{
    QString name; // and the ending of its files
    QString words;
};

std::vector<Format> formats()
{
    return {{QStringLiteral("csv"), ExportDialog::tr("CSV, one file for each kind of record")},
            {QStringLiteral("jsonl"), ExportDialog::tr("JSON Lines, one object for each record")},
            {QStringLiteral("sqlite"), ExportDialog::tr("SQLite, a ledger of its own")},
            {QStringLiteral("png"), ExportDialog::tr("PNG, a picture of the charts")},
            {QStringLiteral("pdf"), ExportDialog::tr("PDF, a report on one page")}};
}

} // namespace

ExportDialog::ExportDialog(QWidget *parent)
    : QDialog(parent)
    , m_format(new QComboBox(this))
    , m_span(new SpanChoice(this))
    , m_path(new QLineEdit(this))
    , m_note(new QLabel(this))
{
    setWindowTitle(tr("Export the ledger"));
    m_format->setObjectName(QStringLiteral("export_format"));
    m_format->setAccessibleName(tr("Format"));
    for (const Format &each : formats())
        m_format->addItem(each.words, each.name);
    m_span->setObjectName(QStringLiteral("export_span"));
    m_note->setObjectName(QStringLiteral("export_note"));
    m_note->setWordWrap(true);
    m_path->setObjectName(QStringLiteral("export_path"));
    m_path->setAccessibleName(tr("File"));
    m_path->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    m_path->setText(folder.filePath(QStringLiteral("headway-ledger.csv")));
    auto *browse = new QPushButton(tr("Browse…"), this);
    browse->setAccessibleName(tr("Choose the file"));
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    auto *file = new QHBoxLayout;
    file->addWidget(m_path, 1);
    file->addWidget(browse);
    auto *form = new QFormLayout;
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Span"), m_span);
    form->addRow(tr("File"), file);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    m_accept->setObjectName(QStringLiteral("export_accept"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_path, &QLineEdit::textChanged, this, &ExportDialog::showState);
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        followFormat();
        showState();
    });
    connect(m_span, &QComboBox::currentIndexChanged, this, &ExportDialog::showState);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_note);
    layout->addWidget(buttons);
    showState();
}

QString ExportDialog::format() const
{
    return m_format->currentData().toString();
}

QString ExportDialog::path() const
{
    return m_path->text().trimmed();
}

qint64 ExportDialog::sinceMsAgo() const
{
    return m_span->sinceMsAgo();
}

void ExportDialog::browse()
{
    const QString chosen = QFileDialog::getSaveFileName(this, windowTitle(), path());
    if (!chosen.isEmpty())
        m_path->setText(chosen);
}

// A path that still has another format's ending follows the choice.
void ExportDialog::followFormat()
{
    for (const Format &other : formats()) {
        const QString ending = u'.' + other.name;
        if (other.name != format() && path().endsWith(ending)) {
            m_path->setText(path().chopped(ending.size()) + u'.' + format());
            return;
        }
    }
}

bool ExportDialog::isOfTheCharts() const
{
    return format() == QLatin1String("png") || format() == QLatin1String("pdf");
}

void ExportDialog::setLedgerElsewhere(const QString &address)
{
    if (m_elsewhere == address)
        return;
    m_elsewhere = address;
    if (!isOfTheCharts())
        m_format->setCurrentIndex(m_format->findData(QStringLiteral("png")));
    showState();
}

void ExportDialog::showState()
{
    const bool isHere = m_elsewhere.isEmpty() || isOfTheCharts();
    m_accept->setEnabled(isHere && !path().isEmpty());
    if (!isHere) {
        m_note->setText(tr("The ledger lies with the proxy at %1: run \"headway ledger export\" "
                           "there. Pictures and reports are made here.")
                            .arg(m_elsewhere));
        return;
    }
    const bool isMore = sinceMsAgo() == 0 || sinceMsAgo() > 60 * SpanChoice::minute;
    m_note->setText(isOfTheCharts() && isMore
                        ? tr("The charts keep the last hour; that much is drawn.")
                        : QString());
}

} // namespace headway::ui
