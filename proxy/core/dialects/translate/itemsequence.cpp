// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/itemsequence.h"

#include "proxy/core/json/document.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headway::dialects {

namespace {

using json::Value;
using Kind = OutputSlot::Kind;

Kind kindOf(const Value &item)
{
    const Value type = item["type"];
    if (type.is("reasoning"))
        return Kind::Reasoning;
    if (type.is("message"))
        return Kind::Message;
    if (type.is("function_call"))
        return Kind::Call;
    if (type.is("custom_tool_call"))
        return Kind::CustomCall;
    if (type.is("web_search_call"))
        return Kind::Search;
    return Kind::Hidden; // compaction and what we do not know
}

void describe(OutputSlot &slot, std::string_view itemJson)
{
    json::Document document;
    if (document.read(itemJson))
        return;
    const Value item = document.root();
    const Kind kind = kindOf(item);
    if (slot.kind != Kind::Hidden && slot.kind != kind)
        return; // an item does not become another
    slot.kind = kind;
    slot.itemId = item["id"].body();
    slot.phaseBody = item["phase"].body();
    if (slot.kind != Kind::Call && slot.kind != Kind::CustomCall)
        return;
    slot.callIdBody = item["call_id"].isString() ? item["call_id"].body() : item["id"].body();
    slot.name = item["name"].text();
}

} // namespace

void ItemSequence::take(const UpstreamEvent &event, Handler &handler, std::string &out)
{
    OutputSlot &slot = slotOf(event);
    if (event.type == EventType::OutputItemAdded) {
        describe(slot, event.item);
        advance(handler, out);
        return;
    }
    const bool done = event.type == EventType::OutputItemDone;
    const std::string_view data = done ? event.item : event.delta;
    if (slot.kind == Kind::Hidden && done)
        describe(slot, event.item);
    if (slot.finished || data.empty())
        return;
    if (active() == nullptr)
        advance(handler, out);
    if (active() == &slot) {
        handler.handle(slot, event.type, event.partIndex, data, out);
        if (slot.finished)
            advance(handler, out);
        return;
    }
    slot.waiting.push_back({event.type, event.partIndex, std::string(data)});
    advance(handler, out);
}

void ItemSequence::takeWhole(const UpstreamEvent &event, Handler &handler, std::string &out)
{
    json::Document document;
    if (event.items <= m_slots.size() || document.read(event.response))
        return;
    UpstreamEvent done;
    done.type = EventType::OutputItemDone;
    done.outputIndex = 0;
    for (const Value &item : document.root()["output"]) {
        const auto known = m_slots.find(done.outputIndex);
        if (known != m_slots.end() && !known->second.itemId.empty()
            && !item["id"].is(known->second.itemId))
            return; // numbered otherwise: what is missing cannot be told
        done.item = item.raw();
        take(done, handler, out);
        ++done.outputIndex;
    }
}

OutputSlot *ItemSequence::active()
{
    return m_active ? &m_slots.at(*m_active) : nullptr;
}

OutputSlot &ItemSequence::slotOf(const UpstreamEvent &event)
{
    if (event.outputIndex >= 0)
        return m_slots[event.outputIndex];
    const auto found = std::find_if(m_slots.begin(), m_slots.end(), [&event](const auto &entry) {
        return !event.itemId.empty() && entry.second.itemId == event.itemId;
    });
    if (found != m_slots.end())
        return found->second;
    OutputSlot &slot = m_slots[m_slots.empty() ? 0 : m_slots.rbegin()->first + 1];
    slot.itemId = event.itemId;
    return slot;
}

void ItemSequence::advance(Handler &handler, std::string &out)
{
    while (true) {
        if (m_active && !m_slots.at(*m_active).finished)
            return;
        m_active.reset();
        for (const auto &[index, slot] : m_slots) {
            if (!slot.finished && slot.kind != Kind::Hidden) {
                m_active = index;
                break;
            }
        }
        if (!m_active)
            return;
        OutputSlot &slot = m_slots.at(*m_active);
        const std::vector<OutputSlot::Piece> waiting = std::exchange(slot.waiting, {});
        for (const OutputSlot::Piece &piece : waiting)
            handler.handle(slot, piece.type, piece.part, piece.data, out);
    }
}

std::string missingTail(const std::string &whole, const std::string &sent)
{
    return whole.size() > sent.size() && whole.starts_with(sent) ? whole.substr(sent.size())
                                                                 : std::string();
}

} // namespace headway::dialects
