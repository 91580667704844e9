// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/settingwords.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(SettingWords)
};

QString otherSettingName(std::string_view key)
{
    if (key == "nursery_cap")
        return Words::tr("new heads kept");
    if (key == "established_cap")
        return Words::tr("continued heads kept");
    if (key == "nursery_idle_s")
        return Words::tr("new heads kept for");
    if (key == "established_idle_s")
        return Words::tr("continued heads kept for");
    if (key == "rotate_s")
        return Words::tr("connection replaced after");
    if (key == "lanes")
        return Words::tr("lanes");
    if (key == "spares")
        return Words::tr("spare connections");
    if (key == "first_event_ms")
        return Words::tr("silence that is a fault");
    if (key == "open_stream_after_ms")
        return Words::tr("reply opened early after");
    if (key == "cache_key_per_agent")
        return Words::tr("cache key per agent");
    if (key == "client_sockets")
        return Words::tr("WebSocket for clients");
    if (key == "pause_all")
        return Words::tr("pause of all");
    if (key == "pass_through")
        return Words::tr("pass straight through");
    if (key == "hold_session")
        return Words::tr("held session");
    return text(key);
}

} // namespace

QString settingName(std::string_view key)
{
    if (key == "rate_per_min")
        return Words::tr("rate");
    if (key == "rate_pinned")
        return Words::tr("rate lock");
    if (key == "burst")
        return Words::tr("burst");
    if (key == "idle_ms")
        return Words::tr("idle deadline");
    if (key == "total_ms")
        return Words::tr("total deadline");
    if (key == "retries")
        return Words::tr("retries");
    if (key == "policy")
        return Words::tr("policy");
    if (key == "spacing_floor_ms")
        return Words::tr("spacing floor");
    if (key == "token_floor")
        return Words::tr("token floor");
    if (key == "max_wait_interactive_ms")
        return Words::tr("token wait, person");
    if (key == "max_wait_batch_ms")
        return Words::tr("token wait, background");
    return otherSettingName(key);
}

QString settingTitle(std::string_view key)
{
    QString name = settingName(key);
    name.replace(0, 1, name.left(1).toUpper());
    return name;
}

QString settingText(std::string_view key, std::string_view value)
{
    if (value.empty())
        return key == "hold_session" ? Words::tr("none") : Words::tr("default");
    const QString plain = text(value);
    bool isNumber = false;
    const double number = plain.toDouble(&isNumber);
    if (isNumber && key.ends_with("_ms"))
        return duration(number);
    if (isNumber && key.ends_with("_s"))
        return duration(number * 1000);
    if (isNumber && key == "rate_per_min" && number == 0)
        return Words::tr("no limit");
    if (key == "rate_pinned")
        return value == "true" ? Words::tr("closed") : Words::tr("open");
    if (key == "cache_key_per_agent" || key == "client_sockets")
        return value == "true" ? Words::tr("on") : Words::tr("off");
    if (isNumber && number >= 10'000)
        return count(static_cast<std::uint64_t>(number));
    return plain;
}

QString changeText(const live::ChangeMark &change)
{
    return Words::tr("%1 %2 → %3", "setting old → new")
        .arg(settingName(change.key), settingText(change.key, change.oldValue),
             settingText(change.key, change.newValue));
}

QString whoWords(std::string_view who)
{
    if (who == "window")
        return Words::tr("by you");
    if (who == "feed")
        return Words::tr("by a window elsewhere");
    if (who == "file")
        return Words::tr("by the settings file");
    if (who == "environment")
        return Words::tr("by the environment");
    if (who == "command_line")
        return Words::tr("by the command line");
    return Words::tr("by %1").arg(text(who));
}

} // namespace headway::ui
