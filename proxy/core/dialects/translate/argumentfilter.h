// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway::dialects {

// Drops filler from the arguments of a tool call while they stream: members of the outermost object
// whose value is null, "" or [] and whose name is in the list of droppable ones (models fill in
// every optional field, and clients reject the filler). Everything else passes byte for byte;
// output lags behind only while a droppable member has not shown its value.
class ArgumentFilter final
{
public:
    // Names as they stand in JSON, still escaped. The list must outlive the filter; an empty one
    // lets everything pass.
    explicit ArgumentFilter(const std::vector<std::string> *droppable);

    // `text` is the next piece of the arguments, unescaped.
    void append(std::string &out, std::string_view text);
    // The arguments ended where they are; what was held back follows.
    void finish(std::string &out);

private:
    enum class State {
        Start,
        Name,
        InName,
        Colon,
        Value,
        Word,
        EmptyString,
        EmptyArray,
        Kept,
        Pass
    };

    void step(std::string &out, char c);
    void inName(char c);
    void decide(std::string &out, char c);
    void inWord(std::string &out, char c);
    void afterEmpty(std::string &out, char c, char closing);
    void kept(std::string &out, char c);
    void keep(std::string &out);
    void endMember(std::string &out, char c);
    [[nodiscard]] bool isDroppable() const;

    const std::vector<std::string> *m_droppable;
    State m_state = State::Start;
    std::string m_held; // the member since its comma, undecided
    std::string m_name;
    std::string m_word;
    bool m_any = false; // a member was let through
    bool m_comma = false; // the held member came behind a comma
    bool m_filler = false; // the value is complete and filler
    bool m_escaped = false;
    bool m_inString = false;
    int m_depth = 0;
};

} // namespace headway::dialects
