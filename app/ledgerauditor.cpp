// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledgerauditor.h"

#include "proxy/store/ledgeraudit.h"
#include "proxy/store/ledgerreader.h"

#include <QTimer>

#include <utility>

namespace headway::app {

namespace {

constexpr qint64 recordsAStep = 20'000;
constexpr std::size_t rememberedIds = 65'536;
constexpr int againMs = 3'000;

class Steps final : public QObject
{
public:
    Steps(QString path, LedgerAuditor *teller)
        : m_path(std::move(path))
        , m_teller(teller)
        , m_timer(this)
    {
        m_timer.setSingleShot(true);
        connect(&m_timer, &QTimer::timeout, this, &Steps::step);
    }

    void step()
    {
        ui::ConservationState state;
        const auto reader = store::LedgerReader::open(m_path);
        const auto done = reader ? m_audit.goOn(reader->connection(), recordsAStep)
                                 : tl::unexpected(reader.error());
        if (done) {
            state.share = m_audit.share();
            state.disagreements = m_audit.disagreementCount();
            state.first = m_audit.disagreements().value(0);
        } else {
            state.trouble = done.error().text;
        }
        Q_EMIT m_teller->audited(state);
        m_timer.start(done && !m_audit.isAtEnd() ? 0 : againMs);
    }

private:
    QString m_path;
    LedgerAuditor *m_teller; // outlives the thread of this
    store::LedgerAudit m_audit{rememberedIds};
    QTimer m_timer;
};

} // namespace

LedgerAuditor::LedgerAuditor(const QString &ledgerPath, QObject *parent)
    : QObject(parent)
{
    auto *const steps = new Steps(ledgerPath, this);
    steps->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, steps, &Steps::step);
    connect(&m_thread, &QThread::finished, steps, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("ledger audit"));
}

LedgerAuditor::~LedgerAuditor()
{
    m_thread.quit();
    m_thread.wait();
}

void LedgerAuditor::start()
{
    m_thread.start(QThread::IdlePriority);
}

} // namespace headway::app
