// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/feed.h"

#include "proxy/core/live/feedreader.h"
#include "proxy/core/live/feedwriter.h"

#include <utility>

namespace headway::live {

namespace {

constexpr std::string_view snapshotKind = "snapshot";
constexpr std::string_view refusedKind = "refused";
constexpr std::string_view errorKind = "error";

FeedError malformed(std::string text)
{
    return {.isOtherVersion = false, .text = std::move(text)};
}

FeedError otherVersion(std::int64_t version)
{
    return {.isOtherVersion = true,
            .text = "this Headway speaks feed " + std::to_string(feedVersion) + ", the other one "
                + std::to_string(version)};
}

template <typename Archive, RowOf<FeedAnswer> Row>
void describe(Archive &archive, Row &answer)
{
    archive("about", answer.about);
    archive("reason", answer.reason);
}

template <typename T>
std::string write(std::string_view kind, const T &value)
{
    std::string text;
    FeedWriter object(text);
    object("feed", feedVersion);
    object("kind", kind);
    describe(object, value);
    object.end();
    return text;
}

FeedMessage read(json::Value root, Complaint &complaint)
{
    const json::Value kind = root["kind"];
    if (!kind.isString())
        complaint.make(kind.exists() ? kind : root, "does not say its kind");
    FeedReader object(root, complaint);
    if (kind.is(snapshotKind)) {
        Snapshot snapshot;
        describe(object, snapshot);
        return snapshot;
    }
    if (kind.is(refusedKind) || kind.is(errorKind)) {
        FeedAnswer answer;
        answer.understood = kind.is(refusedKind);
        describe(object, answer);
        return answer;
    }
    return {};
}

} // namespace

std::string writeFeed(const Snapshot &snapshot)
{
    return write(snapshotKind, snapshot);
}

std::string writeFeed(const FeedAnswer &answer)
{
    return write(answer.understood ? refusedKind : errorKind, answer);
}

tl::expected<FeedMessage, FeedError> readFeed(std::string_view text)
{
    if (text.size() > mostFeedBytes)
        return tl::unexpected(malformed("the message is longer than the feed allows"));
    json::Document document;
    if (const auto fault = document.read(text))
        return tl::unexpected(malformed("the message is no JSON: " + std::string(fault->what)
                                        + " at byte " + std::to_string(fault->offset)));
    const json::Value root = document.root();
    const auto version = root["feed"].integer();
    if (!root.isObject() || !version)
        return tl::unexpected(malformed("the message names no version of the feed"));
    if (*version != feedVersion)
        return tl::unexpected(otherVersion(*version));
    Complaint complaint;
    FeedMessage message = read(root, complaint);
    if (complaint.offset)
        return tl::unexpected(malformed(textOf(complaint, root)));
    return message;
}

} // namespace headway::live
