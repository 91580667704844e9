// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/argumentfilter.h"

#include <algorithm>

namespace headway::dialects {

namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

} // namespace

ArgumentFilter::ArgumentFilter(const std::vector<std::string> *droppable)
    : m_droppable(droppable)
{
    if (droppable == nullptr || droppable->empty())
        m_state = State::Pass;
}

void ArgumentFilter::append(std::string &out, std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (m_state == State::Pass) {
            out += text.substr(i);
            return;
        }
        step(out, text[i]);
    }
}

void ArgumentFilter::finish(std::string &out)
{
    if (m_comma && m_any)
        out += ',';
    m_comma = false;
    out += m_held;
    m_held.clear();
}

void ArgumentFilter::step(std::string &out, char c)
{
    switch (m_state) {
    case State::Start:
        out += c;
        if (!isSpace(c)) // arguments are an object; anything else is not ours to change
            m_state = c == '{' ? State::Name : State::Pass;
        return;
    case State::Kept:
        kept(out, c);
        return;
    case State::Pass:
        out += c;
        return;
    case State::Name:
        if (c == '}' || (c != '"' && !isSpace(c))) { // the end, or not JSON
            finish(out);
            out += c;
            m_state = State::Pass;
            return;
        }
        m_held += c;
        if (c == '"')
            m_state = State::InName;
        return;
    case State::InName:
        inName(c);
        return;
    case State::Colon:
        m_held += c;
        if (c == ':')
            m_state = State::Value;
        return;
    case State::Value:
        decide(out, c);
        return;
    case State::Word:
        inWord(out, c);
        return;
    case State::EmptyString:
        afterEmpty(out, c, '"');
        return;
    case State::EmptyArray:
        afterEmpty(out, c, ']');
        return;
    }
}

void ArgumentFilter::inName(char c)
{
    m_held += c;
    if (m_escaped) {
        m_escaped = false;
    } else if (c == '\\') {
        m_escaped = true;
    } else if (c == '"') {
        m_state = State::Colon;
        return;
    }
    m_name += c;
}

bool ArgumentFilter::isDroppable() const
{
    return std::find(m_droppable->begin(), m_droppable->end(), m_name) != m_droppable->end();
}

// First byte of a value: can it still be filler?
void ArgumentFilter::decide(std::string &out, char c)
{
    if (isSpace(c)) {
        m_held += c;
        return;
    }
    const bool candidate = isDroppable();
    if (candidate && (c == 'n' || c == '"' || c == '[')) {
        m_held += c;
        m_word.assign(1, c);
        m_state = c == 'n' ? State::Word : c == '"' ? State::EmptyString : State::EmptyArray;
        return;
    }
    keep(out);
    kept(out, c);
}

void ArgumentFilter::inWord(std::string &out, char c)
{
    if (m_filler || c == ',' || c == '}' || isSpace(c)) {
        m_filler = m_filler || m_word == "null";
        if (m_filler) {
            afterEmpty(out, c, '\0');
            return;
        }
        keep(out);
        kept(out, c);
        return;
    }
    m_word += c;
    m_held += c;
}

// Inside "" or [], or behind filler that is complete.
void ArgumentFilter::afterEmpty(std::string &out, char c, char closing)
{
    if (!m_filler) {
        if (closing == ']' && isSpace(c)) {
            m_held += c;
            return;
        }
        if (c == closing) {
            m_held += c;
            m_filler = true;
            return;
        }
        keep(out);
        m_inString = closing == '"';
        m_depth = closing == ']' ? 1 : 0;
        kept(out, c);
        return;
    }
    if (c == ',' || c == '}')
        endMember(out, c);
    else
        m_held += c; // space before the separator
}

void ArgumentFilter::keep(std::string &out)
{
    if (m_any)
        out += ',';
    m_any = true;
    m_comma = false;
    out += m_held;
    m_held.clear();
    m_state = State::Kept;
    m_inString = false;
    m_depth = 0;
}

void ArgumentFilter::kept(std::string &out, char c)
{
    if (m_inString) {
        out += c;
        if (m_escaped)
            m_escaped = false;
        else if (c == '\\')
            m_escaped = true;
        else if (c == '"')
            m_inString = false;
        return;
    }
    if (m_depth == 0 && (c == ',' || c == '}')) {
        endMember(out, c);
        return;
    }
    out += c;
    if (c == '"')
        m_inString = true;
    else if (c == '{' || c == '[')
        ++m_depth;
    else if (c == '}' || c == ']')
        --m_depth;
}

void ArgumentFilter::endMember(std::string &out, char c)
{
    m_held.clear(); // filler goes; a kept member has nothing held
    m_name.clear();
    m_filler = false;
    m_comma = c == ',';
    m_state = State::Name;
    if (c == '}') {
        out += c;
        m_state = State::Pass;
    }
}

} // namespace headway::dialects
