// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/random.h"
#include "tests/core/heads/timeline.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <optional>

using namespace headway::heads;

// Thousands of random conversations with dropped reasoning, branches, rewinds, busy parents and
// failures: the pool against a slow model written from the words of spec/heads.md alone, which
// knows items as plain words and tries every way of leaving reasoning out.
class HeadModelTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePoolDecidesLikeTheExhaustiveModel_data();
    void thePoolDecidesLikeTheExhaustiveModel();
    void theWalksPassedEverythingWorthComparing();

private:
    std::map<Decision, int> m_decisions;
    int m_reasoningOmitted = 0;
    int m_kept = 0;
};

namespace {

using Words = QStringList;

bool isReasoning(const QString &word)
{
    return word.startsWith(u'R');
}

Words withoutReasoning(const Words &words)
{
    Words firm;
    std::copy_if(words.begin(), words.end(), std::back_inserter(firm),
                 [](const QString &word) { return !isReasoning(word); });
    return firm;
}

bool isPrefix(const Words &prefix, const Words &words)
{
    return prefix.size() <= words.size() && words.mid(0, prefix.size()) == prefix;
}

// Every history that is `words` with some reasoning items left out, the longest that is a prefix of
// the request, with strictness not yet asked for.
std::optional<Words> longestPrefixVariant(const Words &words, const Words &request)
{
    QList<qsizetype> places;
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (isReasoning(words.at(i)))
            places << i;
    }
    std::optional<Words> best;
    for (quint32 omitted = 0; omitted < (1U << places.size()); ++omitted) {
        Words variant = words;
        for (qsizetype k = places.size() - 1; k >= 0; --k) {
            if ((omitted >> k) & 1U)
                variant.removeAt(places.at(k));
        }
        if (isPrefix(variant, request) && (!best || variant.size() > best->size()))
            best = variant;
    }
    return best;
}

qsizetype reasoningAtEnd(const Words &words)
{
    qsizetype count = 0;
    while (count < words.size() && isReasoning(words.at(words.size() - 1 - count)))
        ++count;
    return count;
}

struct ModelMatch
{
    qsizetype length = 0;
    bool exact = false;
};

std::optional<ModelMatch> modelMatch(const Words &history, const Words &request)
{
    if (history.isEmpty())
        return std::nullopt;
    const auto variant = longestPrefixVariant(history, request);
    if (!variant || variant->size() >= request.size())
        return std::nullopt; // not a strict prefix
    // One that is present must match: no other reasoning where the last ones were left out.
    if (reasoningAtEnd(*variant) < reasoningAtEnd(history)
        && isReasoning(request.at(variant->size())))
        return std::nullopt;
    return ModelMatch{variant->size(), variant->size() == history.size()};
}

struct ModelHead
{
    HeadId id;
    Words history; // P
    Words input; // of the turn in flight
    bool busy = true;
    bool isolated = false;
};

struct Model
{
    std::vector<ModelHead> heads; // by registration

    ScanResult scan(const Words &request) const
    {
        ScanResult result;
        result.decision
            = heads.empty() ? Decision::NewPartitionHead : Decision::HistoryMismatchNewHead;
        result.candidates = heads.size();
        std::optional<ModelMatch> best;
        for (const ModelHead &head : heads) {
            const auto match = modelMatch(head.history, request);
            if (head.busy) {
                const bool generatesForPrefix = !head.input.isEmpty()
                    && longestPrefixVariant(head.input, request).has_value();
                if (result.isolatedBy == HeadId{} && (match || generatesForPrefix))
                    result.isolatedBy = head.id;
                continue;
            }
            ++result.idle;
            if (!match)
                continue;
            ++result.matching;
            if (!best
                || std::pair(match->length, match->exact) > std::pair(best->length, best->exact)) {
                best = match;
                result.head = head.id;
            }
        }
        if (best) {
            result.decision = Decision::Continuation;
            result.deltaFrom = static_cast<std::size_t>(best->length);
            result.mode = best->exact ? MatchMode::Exact : MatchMode::ReasoningOmitted;
            result.isolatedBy = {};
        } else if (result.isolatedBy != HeadId{}) {
            result.decision = Decision::ParallelIsolated;
        }
        return result;
    }

    // Whether the head is still there.
    bool complete(std::size_t index, const Words &echoed)
    {
        ModelHead &head = heads[index];
        if (head.isolated) {
            const Words lineage = withoutReasoning(head.input);
            const bool superfluous
                = std::any_of(heads.begin(), heads.end(), [&](const ModelHead &other) {
                      return other.id != head.id
                          && (other.busy || isPrefix(lineage, withoutReasoning(other.history)));
                  });
            if (superfluous) {
                heads.erase(heads.begin() + static_cast<std::ptrdiff_t>(index));
                return false;
            }
        }
        head.isolated = false;
        head.busy = false;
        head.history = head.input + echoed;
        return true;
    }
};

// Random conversations in a small vocabulary, so that histories meet again.
class Author
{
public:
    explicit Author(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t limit) { return m_random.next() % limit; }
    bool oneIn(std::size_t n) { return below(n) == 0; }

    QString word(char kind) { return QChar::fromLatin1(kind) + QString::number(below(3)); }

    Words reply()
    {
        Words words;
        for (std::size_t i = below(3); i > 0; --i)
            words << word('R');
        if (!oneIn(4))
            words << word(oneIn(2) ? 'A' : 'F');
        if (oneIn(5))
            words << word('R');
        return words;
    }

    // What a client might send next: mostly the history of a head and something new.
    Words request(const Model &model)
    {
        Words words;
        if (!model.heads.empty() && !oneIn(6)) {
            const ModelHead &head = model.heads[below(model.heads.size())];
            words = head.history.isEmpty() || oneIn(4) ? head.input : head.history;
        }
        if (oneIn(5))
            words = words.mid(
                0, static_cast<qsizetype>(below(static_cast<std::size_t>(words.size()) + 1)));
        if (oneIn(2))
            dropSomeReasoning(words);
        if (oneIn(8) && !words.isEmpty())
            words[static_cast<qsizetype>(below(static_cast<std::size_t>(words.size())))]
                = word('R');
        if (oneIn(6))
            words << word('R');
        if (!oneIn(5) || words.isEmpty())
            words << word(oneIn(3) ? 'O' : 'U');
        return shortened(words);
    }

private:
    void dropSomeReasoning(Words &words)
    {
        const std::size_t share = 1 + below(3);
        erase_if(words, [&](const QString &word) { return isReasoning(word) && oneIn(share); });
    }

    // Keeps the model's 2^n affordable.
    static Words shortened(const Words &words)
    {
        Words kept;
        int reasoning = 0;
        for (const QString &word : words.mid(0, 14)) {
            if (isReasoning(word) && ++reasoning > 5)
                continue;
            kept << word;
        }
        return kept;
    }

    headway::base::Random m_random;
};

std::string joined(const Words &words)
{
    return words.join(u' ').toStdString();
}

QByteArray told(const ScanResult &result)
{
    return QByteArray::fromStdString(
        std::string(name(result.decision)) + " head " + std::to_string(result.head.value())
        + " from " + std::to_string(result.deltaFrom) + ' ' + std::string(name(result.mode))
        + " of " + std::to_string(result.candidates) + " idle " + std::to_string(result.idle)
        + " matching " + std::to_string(result.matching) + " isolated by "
        + std::to_string(result.isolatedBy.value()));
}

// The pool and the model through the same random steps.
class Game
{
public:
    explicit Game(std::uint64_t seed)
        : m_author(seed)
        , m_timeline(PoolSettings{.nurseryCap = 4'096, .establishedCap = 4'096})
    {
    }

    void step()
    {
        std::vector<std::size_t> busy;
        for (std::size_t i = 0; i < m_model.heads.size(); ++i) {
            if (m_model.heads[i].busy)
                busy.push_back(i);
        }
        if (!busy.empty() && (m_author.oneIn(2) || busy.size() > 4))
            goOn(busy[m_author.below(busy.size())]);
        else
            begin();
        if (m_model.heads.size() > 12) // small, so that heads meet again
            remove(0, EvictionReason::User);
        QCOMPARE(m_timeline.pool.size(), m_model.heads.size());
    }

    std::map<Decision, int> decisions;
    int reasoningOmitted = 0;
    int kept = 0;

private:
    void remove(std::size_t index, EvictionReason reason)
    {
        QVERIFY(m_timeline.pool.remove(m_model.heads[index].id, reason).has_value());
        m_model.heads.erase(m_model.heads.begin() + static_cast<std::ptrdiff_t>(index));
    }

    void goOn(std::size_t index)
    {
        if (m_author.oneIn(8)) {
            remove(index, EvictionReason::FailedTurn);
        } else if (m_author.oneIn(10)) {
            m_timeline.pool.forgetResponse(m_model.heads[index].id);
            m_model.heads[index].history.clear();
        } else {
            const Words echoed = m_author.reply();
            const bool isolated = m_model.heads[index].isolated;
            m_timeline.end(m_model.heads[index].id, joined(echoed));
            const bool stays = m_model.complete(index, echoed);
            QCOMPARE(m_timeline.evictions.empty(), stays);
            kept += isolated && stays ? 1 : 0;
        }
    }

    void begin()
    {
        const Words request = m_author.request(m_model);
        const ScanResult expected = m_model.scan(request);
        QCOMPARE(told(m_timeline.scan(joined(request))), told(expected));
        ++decisions[expected.decision];
        reasoningOmitted += expected.mode == MatchMode::ReasoningOmitted ? 1 : 0;
        const HeadId id = m_timeline.begin(joined(request));
        if (expected.decision == Decision::Continuation) {
            const auto head = std::find_if(m_model.heads.begin(), m_model.heads.end(),
                                           [id](const ModelHead &h) { return h.id == id; });
            head->busy = true;
            head->input = request;
        } else {
            m_model.heads.push_back({.id = id,
                                     .history = {},
                                     .input = request,
                                     .isolated = expected.decision == Decision::ParallelIsolated});
        }
    }

    Author m_author;
    Timeline m_timeline;
    Model m_model;
};

} // namespace

void HeadModelTest::thePoolDecidesLikeTheExhaustiveModel_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 20; ++seed)
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

void HeadModelTest::thePoolDecidesLikeTheExhaustiveModel()
{
    QFETCH(const int, seed);
    Game game(static_cast<std::uint64_t>(seed));
    for (int step = 0; step < 300; ++step) {
        game.step();
        if (QTest::currentTestFailed())
            return;
    }
    for (const auto &[decision, count] : game.decisions)
        m_decisions[decision] += count;
    m_reasoningOmitted += game.reasoningOmitted;
    m_kept += game.kept;
}

void HeadModelTest::theWalksPassedEverythingWorthComparing()
{
    for (const Decision decision : {Decision::Continuation, Decision::ParallelIsolated,
                                    Decision::HistoryMismatchNewHead, Decision::NewPartitionHead})
        QVERIFY2(m_decisions[decision] >= 20, std::string(name(decision)).c_str());
    QVERIFY(m_reasoningOmitted >= 20);
    QVERIFY(m_kept >= 20);
}

QTEST_APPLESS_MAIN(HeadModelTest)
#include "tst_headmodel.moc"
