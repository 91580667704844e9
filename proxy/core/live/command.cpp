// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/command.h"

#include "proxy/core/live/feedreader.h"
#include "proxy/core/live/feedwriter.h"

#include <array>
#include <utility>

namespace headway::live {

namespace {

// In the order of Command's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Command>> names{
    "change_setting", "evict", "pin", "pause", "pass_through", "hold", "move_to_front", "cancel"};

template <typename Archive, RowOf<ChangeSetting> Row>
void describe(Archive &archive, Row &row)
{
    archive("key", row.key);
    archive("value", row.value);
}

template <typename Archive, RowOf<EvictHead> Row>
void describe(Archive &archive, Row &row)
{
    archive("connection", row.connection);
    archive("head", row.head);
}

template <typename Archive, RowOf<PinConnection> Row>
void describe(Archive &archive, Row &row)
{
    archive("connection", row.connection);
    archive("on", row.isPinned);
}

template <typename Archive, RowOf<PauseAll> Row>
void describe(Archive &archive, Row &row)
{
    archive("on", row.isPaused);
}

template <typename Archive, RowOf<PassThrough> Row>
void describe(Archive &archive, Row &row)
{
    archive("on", row.isOn);
}

template <typename Archive, RowOf<HoldSession> Row>
void describe(Archive &archive, Row &row)
{
    archive("session", row.session);
    archive("on", row.isHeld);
}

template <typename Archive, typename Row>
requires RowOf<Row, MoveToFront> || RowOf<Row, CancelTurn>
void describe(Archive &archive, Row &row)
{
    archive("turn", row.turn);
}

// The alternative at this place.
template <std::size_t i = 0>
Command blank(std::size_t place)
{
    if constexpr (i + 1 < std::variant_size_v<Command>) {
        if (place != i)
            return blank<i + 1>(place);
    }
    return std::variant_alternative_t<i, Command>{};
}

} // namespace

std::string_view name(const Command &command)
{
    return names.at(command.index());
}

std::string writeCommand(const Command &command)
{
    std::string text;
    FeedWriter object(text, Zeros::Written);
    object("do", name(command));
    std::visit([&object](const auto &value) { describe(object, value); }, command);
    object.end();
    return text;
}

tl::expected<Command, std::string> readCommand(std::string_view text)
{
    if (text.size() > mostCommandBytes)
        return tl::unexpected(std::string("the command is longer than 64 KiB"));
    json::Document document;
    if (const auto fault = document.read(text))
        return tl::unexpected("the command is no JSON: " + std::string(fault->what) + " at byte "
                              + std::to_string(fault->offset));
    const json::Value root = document.root();
    const json::Value what = root["do"];
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!what.is(names[i]))
            continue;
        Command command = blank(i);
        Complaint complaint;
        FeedReader object(root, complaint, Missing::IsWrong);
        std::visit([&object](auto &value) { describe(object, value); }, command);
        if (complaint.offset)
            return tl::unexpected(textOf(complaint, root));
        return command;
    }
    return tl::unexpected(what.isString() ? "there is no command \"" + what.text() + '"'
                                          : std::string("the command does not say what to do"));
}

} // namespace headway::live
