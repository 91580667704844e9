// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/whatifview.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/policywords.h"
#include "ui/models/pacingsetup.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/replaysummary.h"
#include "ui/views/replaystack.h"

#include <QButtonGroup>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace headway::ui {

namespace {

constexpr std::array minuteChoices{5, 15, 60};
constexpr int scenarioChoice = 0;

bool isAuto(const SettingValues &settings)
{
    const auto policy = settings.find("policy");
    return policy != settings.end() && policy->second.value == "auto";
}

} // namespace

WhatIfView::WhatIfView(QWidget *parent)
    : QWidget(parent)
    , m_spans(new QButtonGroup(this))
    , m_again(new QToolButton(this))
    , m_about(new ElidedLabel(this))
    , m_progress(new QProgressBar(this))
    , m_curves(new ReplayStack(this))
    , m_summary(new ReplaySummary(this))
    , m_empty(new EmptyState(buildPage(), this))
    , m_runner(new ReplayRunner(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(m_empty, 1);
    m_empty->setMessage(tr("One moment"), tr("The arrivals are being read."));
    m_empty->setEmpty(true);
    connect(m_empty, &EmptyState::actionTriggered, this, &WhatIfView::readAgain);
    connect(m_runner, &ReplayRunner::finished, this, &WhatIfView::showResult);
    connect(m_runner, &ReplayRunner::busyChanged, m_progress, &QWidget::setVisible);
    showSource();
}

QWidget *WhatIfView::buildPage()
{
    auto *scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Figures of the replay"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_summary);
    auto *page = new QSplitter(Qt::Vertical);
    page->addWidget(m_curves);
    page->addWidget(scroll);
    page->setStretchFactor(0, 3);
    page->setStretchFactor(1, 2);
    page->setChildrenCollapsible(false);
    page->setSizes({580, 420}); // shares of what there is
    return page;
}

QWidget *WhatIfView::buildBar()
{
    auto *bar = new QWidget(this);
    bar->setStyleSheet(choiceButtonStyle());
    // A tab page's least width is everybody's: this bar has room enough where it is shown.
    bar->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    for (const int minutes : minuteChoices) {
        auto *button = new QToolButton(bar);
        button->setText(tr("%1 min").arg(minutes));
        button->setObjectName(QStringLiteral("replay_span_%1").arg(minutes));
        button->setAccessibleName(tr("Replay the last %1 minutes of the ledger").arg(minutes));
        m_spans->addButton(button, minutes);
    }
    auto *scenario = new QToolButton(bar);
    scenario->setText(tr("Scenario…"));
    scenario->setObjectName(QStringLiteral("replay_scenario"));
    scenario->setAccessibleName(tr("Replay a scenario file"));
    m_spans->addButton(scenario, scenarioChoice);
    for (QAbstractButton *button : m_spans->buttons()) {
        button->setCheckable(true);
        layout->addWidget(button);
    }
    m_spans->button(15)->setChecked(true);
    connect(m_spans, &QButtonGroup::idClicked, this, &WhatIfView::choose);
    m_again->setText(tr("Read again"));
    m_again->setObjectName(QStringLiteral("replay_again"));
    m_again->setAccessibleName(tr("Read the arrivals again"));
    m_again->setToolTip(tr("Reads what came since, or the changed file"));
    connect(m_again, &QToolButton::clicked, this, &WhatIfView::readAgain);
    layout->addSpacing(8);
    layout->addWidget(m_again);
    m_about->setObjectName(QStringLiteral("replay_source"));
    layout->addSpacing(8);
    layout->addWidget(m_about, 1);
    m_progress->setObjectName(QStringLiteral("replay_progress"));
    m_progress->setAccessibleName(tr("A replay is at work"));
    m_progress->setRange(0, 0);
    m_progress->setMaximumWidth(fontMetrics().averageCharWidth() * 16);
    m_progress->hide();
    layout->addWidget(m_progress);
    return bar;
}

void WhatIfView::setWithoutLedger(const QString &why)
{
    m_withoutLedger = true;
    setLedgerReader([why](base::Milliseconds) { return tl::unexpected(why); });
}

void WhatIfView::setLedgerReader(LedgerReader reader)
{
    m_runner->setLedgerReader(std::move(reader));
}

void WhatIfView::compare(const SettingValues &inForce, const SettingValues &tried)
{
    m_inForce = inForce;
    m_tried = tried;
    ask();
}

void WhatIfView::choose(int id)
{
    if (id == scenarioChoice) {
        chooseScenario();
        return;
    }
    m_source.scenario.clear();
    m_source.back = std::chrono::minutes(id);
    readAgain();
}

void WhatIfView::chooseScenario()
{
    auto *dialog = new QFileDialog(this, tr("Replay a scenario"), m_source.scenario,
                                   tr("Scenarios (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &WhatIfView::openScenario);
    connect(dialog, &QFileDialog::rejected, this, &WhatIfView::showSource);
    dialog->open(); // not exec(): no second event loop
}

void WhatIfView::openScenario(const QString &path)
{
    m_source.scenario = path;
    readAgain();
}

void WhatIfView::readAgain()
{
    ++m_source.reading;
    showSource();
    ask();
}

void WhatIfView::ask()
{
    m_isDue = true;
    if (!isVisible() || m_inForce.empty())
        return; // what nobody sees costs nothing
    m_isDue = false;
    m_runner->ask({m_source, setupOf(m_inForce), setupOf(m_tried)});
}

lab::PacingSetup WhatIfView::setupOf(const SettingValues &settings) const
{
    lab::PacingSetup setup = pacingSetupOf(settings);
    setup.learnedPerMinute = estimatedPerMinute(m_estimate).value_or(0);
    return setup;
}

void WhatIfView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isDue)
        ask();
}

void WhatIfView::showSource()
{
    const bool isScenario = !m_source.scenario.isEmpty();
    const int id = isScenario
        ? scenarioChoice
        : static_cast<int>(std::chrono::floor<std::chrono::minutes>(m_source.back).count());
    m_spans->button(id)->setChecked(true);
    m_about->setText(isScenario ? tr("Scenario %1").arg(m_source.scenario)
                                : tr("Own ledger, up to now"));
}

bool WhatIfView::isShowingMessage() const
{
    return m_empty->isShowingMessage();
}

QString WhatIfView::message() const
{
    return isShowingMessage() ? m_empty->title() : QString();
}

void WhatIfView::showResult(const ReplayResultPointer &result)
{
    const bool isEmpty = !result->error.isEmpty() || result->curves.before.refusals.empty();
    m_empty->setEmpty(isEmpty);
    if (isEmpty) {
        showMessage(*result);
        return;
    }
    m_curves->showCurves(result->curves);
    m_summary->showSummaries(result->curves.before.summary, result->curves.after.summary);
    m_summary->setCaution(caution());
}

void WhatIfView::showMessage(const ReplayResult &result)
{
    if (m_withoutLedger && result.source.scenario.isEmpty())
        m_empty->setMessage(tr("The ledger is not here"), result.error);
    else if (!result.error.isEmpty())
        m_empty->setMessage(result.source.scenario.isEmpty()
                                ? tr("The ledger cannot be read")
                                : tr("This scenario cannot be replayed"),
                            result.error, tr("Try again"));
    else if (!result.source.scenario.isEmpty())
        m_empty->setMessage(tr("Nothing to replay"),
                            tr("No agent of this scenario asks for a new connection."));
    else
        m_empty->setMessage(
            tr("Nothing to replay"),
            tr("No turn asked for a new connection in the last %1. Choose a longer span or a "
               "scenario, or let a client work first.")
                .arg(duration(result.source.back)),
            tr("Read again"));
}

QString WhatIfView::caution() const
{
    QString words = tr("A replay lets every opening succeed: what the provider would reject is "
                       "not in it, and who is refused does not come back.");
    if (isAuto(m_inForce) || isAuto(m_tried))
        words += u' '
            + tr("So auto finds no limit here; it keeps to what it has learned until now: %1.")
                  .arg(estimateWords(m_estimate));
    return words;
}

} // namespace headway::ui
