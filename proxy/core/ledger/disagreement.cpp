// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/conservation.h"
#include "proxy/core/ledger/text.h"

namespace headway::ledger {

namespace {

std::string_view sentence(Violation violation)
{
    switch (violation) {
    case Violation::BegunAgain:
        return "began a second time";
    case Violation::EndedAgain:
        return "ended a second time";
    case Violation::EndedUnbegun:
        return "ended without having begun";
    case Violation::NotAdmitted:
        return "went on without having been admitted";
    case Violation::LeftOpen:
        return "was still open";
    case Violation::Unnamed:
        return "has no id, or a word that is not known";
    }
    return {};
}

} // namespace

std::string describe(const Disagreement &disagreement)
{
    std::string out;
    appendTime(out, disagreement.at);
    out += ' ';
    if (disagreement.request != 0) {
        out += "admission request ";
        out += std::to_string(disagreement.request);
        out += disagreement.turn == base::TurnId() ? "" : " of ";
    }
    if (disagreement.turn != base::TurnId() || disagreement.request == 0) {
        out += "turn ";
        appendTurn(out, disagreement.turn);
    }
    out += ' ';
    out += sentence(disagreement.violation);
    out += " (";
    out += disagreement.word;
    out += ')';
    return out;
}

} // namespace headway::ledger
