// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/trialpanel.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headway::ui {

TrialPanel::TrialPanel(QWidget *parent)
    : QWidget(parent)
    , m_controls(new PacingControls(QStringLiteral("trial_"), this))
    , m_difference(new QLabel(this))
    , m_apply(new QPushButton(tr("Apply these"), this))
    , m_reset(new QPushButton(tr("Start over"), this))
{
    auto *hint
        = new QLabel(tr("Settings to try. The proxy keeps its own until you apply these."), this);
    hint->setWordWrap(true);
    m_difference->setObjectName(QStringLiteral("trial_difference"));
    m_difference->setWordWrap(true);
    m_difference->setTextFormat(Qt::PlainText);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(fontMetrics().height() / 2);
    layout->addWidget(hint);
    layout->addWidget(m_controls);
    layout->addWidget(m_difference);
    layout->addWidget(buildButtons());
    layout->addStretch();
    connect(m_controls, &PacingControls::edited, this,
            [this](const QString &key, const QString &value) { edit(key, value); });
    showChanges();
}

QWidget *TrialPanel::buildButtons()
{
    m_apply->setObjectName(QStringLiteral("trial_apply"));
    m_apply->setAccessibleName(tr("Apply these settings to the proxy"));
    m_reset->setObjectName(QStringLiteral("trial_reset"));
    m_reset->setAccessibleName(tr("Start over from the settings in force"));
    connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applyRequested(m_changes); });
    connect(m_reset, &QPushButton::clicked, this, &TrialPanel::startOver);
    auto *line = new QWidget(this);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_apply);
    layout->addWidget(m_reset);
    return line;
}

void TrialPanel::follow(const SettingValues &settings, base::WallTime at)
{
    m_now = at;
    if (m_inForce != settings) {
        m_inForce = settings;
        dropWhatIsInForce();
        showChanges();
        Q_EMIT changed();
    }
    m_controls->follow(tried(), at);
}

SettingValues TrialPanel::tried() const
{
    SettingValues values = m_inForce;
    for (auto change = m_changes.begin(); change != m_changes.end(); ++change)
        values[change.key().toStdString()] = {change.value().toStdString(), "window", false};
    return values;
}

QString TrialPanel::valueInForce(const QString &key) const
{
    const auto found = m_inForce.find(key.toStdString());
    return found == m_inForce.end() ? QString() : text(found->second.value);
}

void TrialPanel::dropWhatIsInForce()
{
    m_changes.removeIf([this](const QMap<QString, QString>::iterator &change) {
        return change.value() == valueInForce(change.key());
    });
}

void TrialPanel::edit(const QString &key, const QString &value)
{
    m_changes[key] = value;
    dropWhatIsInForce();
    m_controls->follow(tried(), m_now); // the controls have their answer
    showChanges();
    Q_EMIT changed();
}

void TrialPanel::startOver()
{
    m_changes.clear();
    m_controls->follow(tried(), m_now);
    showChanges();
    Q_EMIT changed();
}

void TrialPanel::showChanges()
{
    QStringList words;
    for (auto change = m_changes.begin(); change != m_changes.end(); ++change)
        words << changeText({{},
                             change.key().toStdString(),
                             valueInForce(change.key()).toStdString(),
                             change.value().toStdString(),
                             {}});
    m_difference->setText(words.isEmpty() ? tr("Nothing differs from the settings in force yet.")
                                          : tr("To try: %1").arg(words.join(QLatin1String(", "))));
    m_apply->setEnabled(!words.isEmpty());
    m_reset->setEnabled(!words.isEmpty());
}

} // namespace headway::ui
