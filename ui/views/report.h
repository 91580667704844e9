// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/spanfigures.h"

#include <QImage>
#include <QString>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

namespace headway::ui {

// What the one-page report of a span says, before it is drawn.
struct Report
{
    QString title;
    QString span; // from, to, how much of it is known
    std::vector<std::pair<QString, QString>> figures; // name and value
    QStringList settings; // in force at the end, "rate 60"
    QImage charts;
};

[[nodiscard]] Report reportOf(const SpanFigures &figures, const live::Snapshot &snapshot,
                              const QImage &charts);

// Whether somebody still wants the file; asked last before it takes its name.
using IsWanted = std::function<bool()>;

// As a PDF of one A4 page, written beside and renamed; empty, or why not. Any thread.
[[nodiscard]] QString writeReport(const Report &report, const QString &path,
                                  const IsWanted &isWanted = {});
// A picture, likewise.
[[nodiscard]] QString writePicture(const QImage &picture, const QString &path,
                                   const IsWanted &isWanted = {});

} // namespace headway::ui
