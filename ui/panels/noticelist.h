// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QVBoxLayout;

namespace headway::ui {

// The notices in force, one paragraph each; takes no room while there are none.
class NoticeList final : public QWidget
{
    Q_OBJECT

public:
    explicit NoticeList(QWidget *parent = nullptr);

    void setNotices(const std::vector<std::string> &notices);

private:
    QVBoxLayout *m_layout;
    std::vector<std::string> m_notices;
};

} // namespace headway::ui
