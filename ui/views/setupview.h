// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/setuptexts.h"

#include <QWidget>

class QCheckBox;
class QVBoxLayout;

namespace headway::ui {

class ClientCard;
class DoctorCard;
class EmptyState;
class UpstreamCard;

// Where turns go, and how to point each client at this proxy. The access key is masked until
// somebody asks for it; Copy always copies it in clear.
class SetupView final : public QWidget
{
    Q_OBJECT

public:
    explicit SetupView(QWidget *parent = nullptr);

    void setTexts(const SetupTexts &texts);
    void apply(const live::Snapshot &snapshot);
    void setElsewhere(const QString &address); // of the proxy, which runs there
    void showNotifications(bool areWanted);
    [[nodiscard]] DoctorCard *doctor() const { return m_doctor; }
    [[nodiscard]] UpstreamCard *upstream() const { return m_upstream; }

Q_SIGNALS:
    void signInRequested();
    void notificationsChosen(bool areWanted);
    void copyRequested(const QString &text);
    void writeRequested(const QString &client); // by its name
    void restoreRequested(const QString &client);

private:
    void rebuild();
    void addClient(const QString &name);
    void showTexts();
    [[nodiscard]] QString masked(const QString &text) const;

    SetupTexts m_texts;
    QWidget *m_page; // of the clients
    UpstreamCard *m_upstream;
    QVBoxLayout *m_list;
    EmptyState *m_empty;
    QCheckBox *m_notify;
    DoctorCard *m_doctor;
    QCheckBox *m_reveal;
    std::vector<ClientCard *> m_cards;
};

} // namespace headway::ui
