// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/replywriter.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/heads/pool.h"
#include "proxy/core/live/snapshot.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/turn/deadline.h"
#include "proxy/core/turn/recovery.h"
#include "proxy/engine/clientsink.h"
#include "proxy/engine/connections.h"
#include "proxy/engine/httpscalls.h"
#include "proxy/engine/services.h"
#include "proxy/engine/turnlog.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headway::engine {

// One turn in flight: performs what the core decides, from the head scan to the last byte.
// Scan → (admission → re-scan) → frame up → events down. Ends exactly once.
class TurnRun final : public QObject, private ConnectionUser
{
    Q_OBJECT

public:
    struct Start
    {
        base::TurnId turn;
        dialects::TurnRequest request;
        std::unique_ptr<ClientSink> sink;
        pacing::RequestBudget budget;
        std::uint64_t bytesIn = 0;
    };

    TurnRun(Services &services, Start start, QObject *parent = nullptr);
    ~TurnRun() override;

    void begin(base::Now now);
    void departed(const pacing::Departure &departure, base::Now now);
    void wake(base::Now now); // a deadline or a backoff may have come
    void tick(base::Now now); // once a second: keep-alive, stalled client
    void abandon(const dialects::TurnError &error, base::Now now); // shutdown, cancel
    // It waited for a head in flight that is idle or gone now, or has waited long enough.
    void lookedFor(base::Nanoseconds waited, base::Now now);
    // There is room on an open connection. False: not for this one, or it does not wait for one.
    bool takeRoom(base::Now now);
    // The forks of its head have started: it may send.
    void advance(base::Now now);

    // turnholding.cpp: what a person does to it while it waits
    void holdsChanged(base::Now now);
    void released(base::Now now); // it has left the gate's line
    void moveToFront(base::Now now);
    [[nodiscard]] bool isWaiting() const; // for anything but the provider

    [[nodiscard]] base::TurnId turn() const { return m_turn; }
    [[nodiscard]] bool isOver() const { return m_over; }
    [[nodiscard]] heads::HeadId head() const { return m_head; }
    [[nodiscard]] live::TurnRow row(base::Now now) const;
    void setPlace(const pacing::Pacer::Place &place); // as things stand in the queue
    // For a client that chains on its socket: the whole conversation and what it will call it.
    [[nodiscard]] const dialects::TurnRequest &request() const { return m_request; }
    [[nodiscard]] const std::string &responseId() const { return m_responseId; }
    [[nodiscard]] std::vector<std::string> echoedItems() const { return m_writer->echoedItems(); }

Q_SIGNALS:
    void ended(bool completed);

private:
    struct GatedCall
    {
        std::size_t deltaFrom;
        std::string previousResponseId;
    };

    // turnrun.cpp: life and client
    void finish(std::string end, std::string errorType, std::string_view errorText, base::Now now);
    void fail(const dialects::TurnError &error, base::Now now);
    void failForPlan(base::Now now);
    void clientGone();
    void openStream(base::Now now);
    void tellQuota(std::vector<std::pair<std::string, std::string>> &headers, bool rejected,
                   base::Now now) const;
    void flush(base::Now now);
    void record(ledger::Body body, base::Now now);
    void warn(std::string key, std::string text, base::Now now);
    void enter(live::Phase phase, base::Now now);
    void scheduleWake();
    [[nodiscard]] bool needsPing(base::SteadyTime now) const;

    // turnplacing.cpp: where it runs
    [[nodiscard]] heads::ScanRequest scanRequest() const;
    void attempt(base::Now now);
    void find(base::Now now);
    void placeNew(const heads::ScanResult &scan, base::Now now);
    void lookAgain(const pacing::Admitted &admitted, base::Now now);
    [[nodiscard]] std::optional<heads::RescanOutcome>
    placeAgain(base::Nanoseconds waited, const std::function<void()> &giveBack, base::Now now);
    void shed(const pacing::Admitted &admitted, base::Now now);
    void awaitHead(const heads::ScanResult &scan, base::Now now);
    void settleWarnings(base::Now now);
    void watchCache(bool waits, base::Now now);
    void raise(const std::vector<heads::CacheWarning> &warnings, base::Now now);
    void continueOn(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                    base::Nanoseconds waited, base::Now now);
    void dial(const heads::ScanResult &scan, heads::RescanOutcome outcome, base::Nanoseconds waited,
              base::Now now);
    void recordDecision(const heads::ScanResult &scan, heads::Place place,
                        heads::RescanOutcome outcome, base::Nanoseconds waited, bool promoted,
                        base::Now now);
    void dropConnection(heads::EvictionReason reason, base::Now now);

    // turnlanes.cpp: on a connection that others use too
    [[nodiscard]] heads::Placement place(base::Now now) const;
    void awaitProbe(const heads::AwaitProbe &probe, base::Now now);
    void forkFrom(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                  base::Nanoseconds waited, base::Now now);
    void runOn(const heads::OnSocket &on, const heads::ScanResult &scan,
               heads::RescanOutcome outcome, base::Nanoseconds waited, base::Now now);
    [[nodiscard]] std::vector<heads::Eviction> openHead(base::ConnectionId connection,
                                                        std::string lane, heads::Decision decision,
                                                        base::Now now);
    void join(base::Now now);
    void leaveConnection(heads::EvictionReason reason, base::Now now);
    void lookElsewhere(base::Now now);
    [[nodiscard]] bool sendsUnnamed(const turn::Fault &fault, base::Now now);
    void laneLost() override;
    void laneUnavailable() override;
    void laneOverflowed() override;

    // turnholding.cpp
    void hold(const heads::ScanResult &scan, base::Now now);
    [[nodiscard]] bool isHeld() const;

    // turnadmission.cpp: whether and when it may go
    [[nodiscard]] bool passesGate(base::Now now);
    void leaveGate(base::Now now);
    [[nodiscard]] pacing::AdmissionRequest admissionRequest() const;
    void askAdmission(const heads::ScanResult &scan, base::Now now);
    void decided(const pacing::AdmissionDecision &decision, base::Now now);
    void giveBackAdmission(base::Nanoseconds waited, base::Now now);
    void refused(const pacing::Refused &refusal, base::Now now);
    [[nodiscard]] bool isNoThrottle(const turn::Fault &rejected) const;
    [[nodiscard]] bool takenBack(const pacing::Rejection &rejection, base::Now now);
    [[nodiscard]] std::uint64_t ticketKey() const;
    [[nodiscard]] ledger::Admission admission(std::string_view outcome, base::Nanoseconds waited,
                                              base::Nanoseconds required,
                                              std::optional<std::uint64_t> hint,
                                              std::uint64_t place) const;
    void recordAdmitted(const pacing::Admitted &admitted, base::Now now);
    void recordAdmission(std::string_view outcome, base::Nanoseconds waited,
                         base::Nanoseconds required, std::optional<std::uint64_t> hint,
                         std::uint64_t place, base::Now now);
    void leaveQueue(base::Now now);

    // turnhttps.cpp: where WebSocket cannot carry it
    [[nodiscard]] std::size_t bytesToSend(const heads::ScanResult &scan) const;
    [[nodiscard]] bool wantsHttps(const heads::ScanResult &scan, base::Now now) const;
    [[nodiscard]] bool goesWithoutDial(const heads::ScanResult &scan, base::Now now);
    [[nodiscard]] bool dialsHttps(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                                  base::Nanoseconds waited, base::Now now);
    void call(const heads::ScanResult &scan, const HttpsCalls::Opening &opening, HttpsCalls::On on,
              base::Now now);
    void callConnected();
    void callAccepted();
    void callRefused(const net::UpgradeReply &reply);
    void withoutCredential(const QString &reason, base::Now now);
    void callWithoutCredential(const CredentialError &error);
    void callFailed(net::HttpsExchange::Stage stage, const QString &reason);
    void callLost(const QString &reason);
    void callAgain(HttpsCalls::On on, base::Now now);
    void switchToHttps(turn::HttpsCause cause, base::Now now);
    void releaseCall();
    void dropCall(heads::EvictionReason reason, base::Now now);
    void endDial(base::Now now);
    void answerWarmUp(base::Now now);
    void pauseReading(bool paused);

    // turnupstream.cpp: what comes back
    void send(std::size_t deltaFrom, std::string_view previousResponseId, base::Now now);
    void plainSend(std::size_t deltaFrom, std::string_view previousResponseId, base::Now now);
    void connectionOpened() override;
    void connectionRejected(const net::UpgradeReply &reply) override;
    void connectionFailed(const QString &reason, net::DialStage stage) override;
    void connectionWithoutCredential(const QString &reason) override;
    void connectionReceived(std::string_view message, std::size_t capacity) override;
    void connectionEvent(const dialects::UpstreamEvent &event) override;
    void connectionClosed(std::uint16_t code, const QString &reason) override;
    void event(const dialects::UpstreamEvent &event, base::Now now);
    void takeFailure(const dialects::UpstreamEvent &event, base::Now now);
    void countOutput(std::string_view delta, base::Now now);
    void completedEmpty(const dialects::UpstreamEvent &event, base::Now now);
    void accept(const dialects::UpstreamEvent &event, base::Now now);
    void completed(const dialects::UpstreamEvent &event, base::Now now);
    void keepHead(const dialects::UpstreamEvent &event, base::Now now);
    void fault(const turn::Fault &fault, base::Now now);
    void perform(const turn::Action &action, base::Now now);
    void answeredAgain(base::Now now);
    void replaceSocket(base::Now now);
    void takeOtherLane(base::Now now);
    void beginAnew(base::Now now);
    [[nodiscard]] heads::Decision decisionElsewhere() const;
    void joinInFull(const heads::OnSocket &on, base::Now now);
    void dialAgain(base::Now now);
    [[nodiscard]] std::string recordedCause(const turn::Fault &fault) const;
    void forgetConnection(); // it is gone already
    void dropReasoning();

    Services &m_services;
    base::TurnId m_turn;
    dialects::TurnRequest m_request;
    std::unique_ptr<ClientSink> m_sink;
    pacing::RequestBudget m_budget;
    turn::Deadline m_deadline;
    turn::Remedies m_remedies;
    TurnLog m_log;
    std::unique_ptr<dialects::ReplyWriter> m_writer;
    std::vector<heads::ItemPrint> m_prints;
    std::shared_ptr<const heads::ToolSchemas> m_schemas;
    std::optional<heads::PartitionKey> m_partition;
    heads::PromptPrints m_prompt;
    std::string m_session; // 12 hex
    std::string m_agent;
    std::string m_partitionTag;

    heads::ScanResult m_scan; // of this attempt
    base::Nanoseconds m_waitedForHead{0}; // in this attempt, off its wait bound
    heads::HeadId m_head;
    base::ConnectionId m_connection;
    net::EventStreamCall *m_call = nullptr; // over HTTPS, instead of a head
    std::string m_lane; // of that connection; empty: the default one
    pacing::WaiterId m_waiterId; // of this attempt
    std::optional<pacing::WaiterId> m_waiter; // in the queue
    std::optional<pacing::WaiterId> m_dialling; // its dial has not ended
    bool m_replacing = false; // nor has its dial outside the queue
    std::uint64_t m_admission = 0; // as the ledger counts them
    std::optional<base::SteadyTime> m_gateUntil; // waits in front of an upstream call
    std::optional<base::SteadyTime> m_clearAt; // of this attempt
    std::optional<GatedCall> m_gated; // what is sent once the gate opens
    std::optional<GatedCall> m_held; // what is sent once the forks of the head have started
    base::SteadyTime m_queuedUntil;
    std::size_t m_queuePlace = 0;
    bool m_refusedThen = false; // of m_waiter, as things stand: not admitted but refused
    std::optional<base::SteadyTime> m_retryAt; // backing off
    std::optional<dialects::TurnError> m_retryCause;
    std::string m_recordedCause; // of the last fault, without the provider's own words

    std::string m_out; // bytes for the client of the event at hand
    std::string m_responseId;
    bool m_continued = false;
    bool m_warnedOfLoss = false; // of what its scan found missing
    bool m_accepted = false; // this attempt has had an event
    bool m_started = false; // and its parent is not needed any more
    bool m_running = false; // upstream owes it the end of a response
    bool m_awaitsProbe = false; // waits to learn whether there are lanes
    bool m_probeAwaited = false; // in this attempt
    bool m_sawItem = false;
    bool m_outputOut = false; // output has reached the client
    bool m_over = false;
    std::uint64_t m_outputEvents = 0;
    double m_outputTokens = 0; // estimated
    std::uint64_t m_warnedFrames = 0;
    std::size_t m_suppressedWarnings = 0; // of the decision at hand
    base::SteadyTime m_lastWrite;
    base::SteadyTime m_acceptedAt;
    base::SteadyTime m_sentAt;
    std::optional<base::SteadyTime> m_stalledSince;
    base::SteadyTime m_nextWake = base::SteadyTime::max();
};

} // namespace headway::engine
