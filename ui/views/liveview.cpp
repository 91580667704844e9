// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/liveview.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/policywords.h"
#include "ui/format/settingwords.h"
#include "ui/panels/quotaview.h"
#include "ui/views/chartstack.h"
#include "ui/views/turnspanel.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace headway::ui {

namespace {

constexpr std::array spanChoices{60, 300, 900, 3'600};

double unixSeconds(base::WallTime at)
{
    return static_cast<double>(at.time_since_epoch().count()) / 1000;
}

double settingNumber(const live::Snapshot &snapshot, const char *key)
{
    const auto found = snapshot.settings.find(key);
    return found == snapshot.settings.end() ? 0 : text(found->second.value).toDouble();
}

} // namespace

LiveView::LiveView(const SecondRing &ring, QWidget *parent)
    : QWidget(parent)
    , m_ring(ring)
    , m_charts(new ChartStack(this))
    , m_turns(new TurnsPanel(this))
    , m_quota(new QuotaView(this))
    , m_spans(new QButtonGroup(this))
    , m_pause(new QToolButton(this))
    , m_time(new QLabel(this))
{
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_charts);
    splitter->addWidget(m_turns);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({580, 420}); // shares of what there is
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(m_quota);
    layout->addWidget(splitter, 1);
    connect(m_charts, &ChartStack::crosshairMoved, this, &LiveView::showCrosshair);
}

QWidget *LiveView::buildBar()
{
    auto *bar = new QWidget(this);
    bar->setStyleSheet(choiceButtonStyle());
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    for (const int seconds : spanChoices) {
        auto *button = new QToolButton(bar);
        button->setText(tr("%1 min").arg(seconds / 60));
        button->setObjectName(QStringLiteral("span_%1").arg(seconds));
        button->setAccessibleName(tr("Show the last %1 minutes").arg(seconds / 60));
        button->setCheckable(true);
        button->setChecked(seconds == m_seconds);
        m_spans->addButton(button, seconds);
        layout->addWidget(button);
    }
    connect(m_spans, &QButtonGroup::idClicked, this, &LiveView::setSpan);
    m_pause->setObjectName(QStringLiteral("pause"));
    m_pause->setCheckable(true);
    m_pause->setText(tr("Pause"));
    m_pause->setAccessibleName(tr("Pause the charts and the table"));
    m_pause->setToolTip(tr("Holds the picture still (Space); the proxy goes on"));
    connect(m_pause, &QToolButton::toggled, this, &LiveView::setPaused);
    layout->addSpacing(8);
    layout->addWidget(m_pause);
    layout->addStretch();
    m_time->setObjectName(QStringLiteral("crosshair_time"));
    m_time->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_time);
    showCrosshair({});
    return bar;
}

void LiveView::apply(const live::SnapshotPointer &snapshot)
{
    m_snapshot = snapshot;
    remember(*snapshot);
    if (m_paused || !isVisible() || window()->isMinimized())
        return; // what nobody sees costs nothing
    refresh();
}

void LiveView::remember(const live::Snapshot &snapshot)
{
    for (const live::ChangeMark &change : snapshot.changes)
        m_marks.push_back({unixSeconds(change.at), changeText(change)});
    const double oldest = unixSeconds(snapshot.at) - static_cast<double>(SecondRing::capacity);
    std::erase_if(m_marks, [oldest](const TimeMark &mark) { return mark.at < oldest; });
    m_references = {.burst = settingNumber(snapshot, "burst"),
                    .ratePerMinute = settingNumber(snapshot, "rate_per_min"),
                    .hasBucket = snapshot.policy.empty() || snapshot.policy == "bucket"};
    const double spacing = static_cast<double>(snapshot.spacing.count());
    m_charts->notePacing(std::chrono::floor<base::Seconds>(snapshot.at).time_since_epoch().count(),
                         snapshot.policy == "auto" ? estimatedPerMinute(snapshot.estimate)
                                                   : std::nullopt,
                         spacing > 0 ? std::optional(spacing) : std::nullopt);
}

// The table at every snapshot, the charts only when something in them can have moved.
void LiveView::refresh()
{
    showRows();
    const double end = now();
    const bool hasMoved = std::abs(end - m_end) >= m_charts->secondsPerPixel(m_seconds);
    const bool hasNews
        = static_cast<std::int64_t>(end) != m_drawnSecond || m_marks.size() != m_drawnMarks;
    if (hasMoved || hasNews) {
        takeFrame();
        m_charts->begin(m_ring, {m_end, m_seconds}, m_references, m_marks, m_paused);
    }
    m_charts->drawNext();
}

void LiveView::showRows()
{
    m_turns->apply(*m_snapshot);
    m_quota->apply(*m_snapshot);
}

void LiveView::draw()
{
    if (!m_snapshot)
        return;
    takeFrame();
    m_charts->draw(m_ring, {m_end, m_seconds}, m_references, m_marks, m_paused);
}

void LiveView::takeFrame()
{
    if (!m_paused)
        m_end = now();
    m_drawnSecond = static_cast<std::int64_t>(m_end);
    m_drawnMarks = m_marks.size();
}

double LiveView::now() const
{
    return unixSeconds(m_snapshot->at);
}

bool LiveView::drawInto(ChartStack &stack, int seconds) const
{
    if (!m_snapshot)
        return false;
    stack.setPacing(m_charts->pacing());
    stack.draw(m_ring, {m_paused ? m_end : now(), seconds}, m_references, m_marks, false);
    return true;
}

void LiveView::setPaused(bool paused)
{
    if (m_paused == paused)
        return;
    m_paused = paused;
    m_pause->setChecked(paused);
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    if (m_snapshot && isVisible()) {
        if (!paused)
            showRows();
        draw();
    }
    showCrosshair(m_charts->crosshair());
    Q_EMIT pausedChanged(paused);
}

void LiveView::setSpan(int seconds)
{
    m_seconds = seconds;
    if (QAbstractButton *button = m_spans->button(seconds))
        button->setChecked(true);
    if (isVisible())
        draw();
}

void LiveView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_snapshot && !m_paused)
        showRows();
    draw();
}

void LiveView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_drawnSecond = 0; // another width, other columns: at the next snapshot
}

void LiveView::showCrosshair(std::optional<double> at)
{
    if (at)
        m_time->setText(tr("at %1").arg(
            clockTime(base::WallTime(base::Milliseconds(static_cast<std::int64_t>(*at * 1000))))));
    else
        m_time->setText(m_paused ? tr("paused: the proxy goes on") : QString());
}

} // namespace headway::ui
