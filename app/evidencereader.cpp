// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evidencereader.h"

#include "proxy/net/clock.h"
#include "proxy/store/ledgerevidence.h"

#include <utility>

namespace headway::app {

namespace {

ui::EvidenceAnswer answerTo(const store::EvidenceRequest &request)
{
    auto evidence = store::readEvidence(request);
    if (!evidence)
        return {nullptr, evidence.error().text};
    return {std::make_shared<const ledger::Evidence>(std::move(*evidence)), {}};
}

} // namespace

EvidenceReader::EvidenceReader(QString ledgerPath, QString ceilingPath, QObject *parent)
    : QObject(parent)
    , m_ledgerPath(std::move(ledgerPath))
    , m_ceilingPath(std::move(ceilingPath))
{
}

EvidenceReader::~EvidenceReader()
{
    if (m_thread)
        m_thread->wait();
}

void EvidenceReader::read(const ui::EvidenceQuestion &question)
{
    if (m_thread) {
        m_next = question;
        return;
    }
    store::EvidenceRequest request;
    request.path = m_ledgerPath;
    request.ceilings = m_ceilingPath;
    request.rate = question.rate;
    request.isAnother = question.isAnother;
    if (question.sinceMsAgo > 0)
        request.since = net::readClock().wall - base::Milliseconds{question.sinceMsAgo};
    m_thread.reset(QThread::create([this, request = std::move(request)] {
        QMetaObject::invokeMethod(this, [this, answer = answerTo(request)] { take(answer); });
    }));
    m_thread->start();
}

void EvidenceReader::take(const ui::EvidenceAnswer &answer)
{
    m_thread->wait();
    m_thread.reset();
    if (const auto next = std::exchange(m_next, std::nullopt))
        read(*next);
    else
        Q_EMIT answered(answer);
}

} // namespace headway::app
