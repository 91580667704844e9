// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

namespace headway::ui {

// Where a person wants turns to go.
struct UpstreamChoice
{
    QString upstream; // as the setting of that name takes it: "openai", "chatgpt", a URL
    QString key; // empty: none was given

    friend bool operator==(const UpstreamChoice &, const UpstreamChoice &) = default;
};

} // namespace headway::ui

Q_DECLARE_METATYPE(headway::ui::UpstreamChoice)
