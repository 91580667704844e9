// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/settingchoice.h"

#include "ui/format/figures.h"
#include "ui/format/settingwords.h"
#include "ui/panels/settingslider.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace headway::ui {

SettingChoice::SettingChoice(settings::Key key, QWidget *parent)
    : QWidget(parent)
    , m_row(settings::row(key))
    , m_label(new QLabel(settingTitle(m_row.name), this))
    , m_chooser(new QComboBox(this))
{
    m_chooser->setObjectName(QStringLiteral("choice_") + this->key());
    m_chooser->setAccessibleName(m_label->text());
    const QStringList values = m_row.kind == settings::Kind::Flag
        ? QStringList{QStringLiteral("false"), QStringLiteral("true")}
        : text(m_row.choices).split(u'|', Qt::SkipEmptyParts);
    for (const QString &value : values)
        m_chooser->addItem(settingText(m_row.name, value.toStdString()), value);
    show(text(m_row.fallback));
    m_label->setBuddy(m_chooser);
    const QString tip = text(m_row.description);
    m_label->setToolTip(tip);
    m_chooser->setToolTip(tip);
    m_chooser->setAccessibleDescription(tip);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_chooser);
    connect(m_chooser, &QComboBox::activated, this, [this] {
        m_unanswered = m_chooser->currentData().toString();
        m_saidAt = m_now;
        Q_EMIT edited(this->key(), *m_unanswered);
    });
}

QString SettingChoice::key() const
{
    return text(m_row.name);
}

void SettingChoice::show(const QString &value)
{
    const int index = m_chooser->findData(value);
    if (index >= 0 && index != m_chooser->currentIndex())
        m_chooser->setCurrentIndex(index);
}

void SettingChoice::follow(const live::SettingValue &value, base::WallTime at)
{
    m_now = at;
    const QString theirs = text(value.value);
    const bool isOld = at < m_saidAt || at - m_saidAt > SettingSlider::patience;
    if (m_unanswered && (*m_unanswered == theirs || isOld))
        m_unanswered.reset();
    if (!m_unanswered)
        show(theirs);
}

} // namespace headway::ui
