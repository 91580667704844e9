// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/banners.h"

#include "ui/models/troublewatch.h"
#include "ui/panels/overridebar.h"
#include "ui/panels/troublebar.h"

#include <QVBoxLayout>

namespace headway::ui {

Banners::Banners(QWidget *parent)
    : QWidget(parent)
    , m_link(new LinkBar(this))
    , m_troubles(new TroubleBar(this))
    , m_overrides(new OverrideBar(this))
    , m_watch(new TroubleWatch(LinkBar::staleMs, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_link);
    layout->addWidget(m_troubles);
    layout->addWidget(m_overrides);
    connect(m_link, &LinkBar::changed, this, [this] {
        m_overrides->setEnabled(m_link->isConnected());
        Q_EMIT linkChanged();
    });
    connect(m_watch, &TroubleWatch::changed, this, [this](const std::vector<Trouble> &troubles) {
        m_troubles->setTroubles(troubles);
        if (!isAttached())
            Q_EMIT freshChanged(!m_watch->isSilent());
    });
    connect(m_troubles, &TroubleBar::remedyRequested, this, &Banners::remedyRequested);
    connect(m_overrides, &OverrideBar::resumeRequested, this, &Banners::resumeRequested);
    connect(m_overrides, &OverrideBar::passThroughEnded, this, &Banners::passThroughEnded);
    connect(m_overrides, &OverrideBar::releaseRequested, this, &Banners::releaseRequested);
}

void Banners::hear(const live::SnapshotPointer &snapshot)
{
    if (isAttached())
        m_link->heard(*snapshot);
    m_overrides->apply(*snapshot);
    m_watch->hear(snapshot);
}

void Banners::setLink(const LinkState &link)
{
    m_link->setLink(link);
    m_watch->setElsewhere(true);
}

void Banners::setTrouble(const std::optional<Trouble> &trouble)
{
    m_watch->setStanding(trouble);
}

void Banners::setStopping()
{
    m_watch->setStopping();
}

} // namespace headway::ui
