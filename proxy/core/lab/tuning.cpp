// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/tuning.h"

#include <cstddef>

namespace headway::lab {

namespace {

using settings::Key;

// As it would stand in the settings file; nothing for a value of another type than the setting's.
std::optional<std::string> settingText(json::Value value, settings::Kind kind)
{
    switch (kind) {
    case settings::Kind::Integer:
        if (value.kind() == json::Kind::Number)
            return std::string(value.raw());
        break;
    case settings::Kind::Flag:
        if (value.boolean())
            return std::string(value.raw());
        break;
    case settings::Kind::Choice:
    case settings::Kind::Text:
    case settings::Kind::Secret:
        if (value.isString())
            return value.text();
        break;
    }
    return std::nullopt;
}

std::string_view expectation(settings::Kind kind)
{
    switch (kind) {
    case settings::Kind::Integer:
        return "expected a whole number";
    case settings::Kind::Flag:
        return "expected true or false";
    case settings::Kind::Choice:
    case settings::Kind::Text:
    case settings::Kind::Secret:
        break;
    }
    return "expected a text";
}

base::Seconds seconds(const settings::Settings &settings, Key key)
{
    return base::Seconds{settings.integer(key)};
}

std::size_t count(const settings::Settings &settings, Key key)
{
    return static_cast<std::size_t>(settings.integer(key));
}

} // namespace

std::string_view name(pacing::Policy policy)
{
    switch (policy) {
    case pacing::Policy::Off:
        return "off";
    case pacing::Policy::Fixed:
        return "fixed";
    case pacing::Policy::Bucket:
        return "bucket";
    case pacing::Policy::Adaptive:
        return "adaptive";
    case pacing::Policy::Auto:
        return "auto";
    }
    return {};
}

std::optional<pacing::Policy> policyNamed(std::string_view wanted)
{
    for (const pacing::Policy policy : policies) {
        if (name(policy) == wanted)
            return policy;
    }
    return std::nullopt;
}

pacing::PacerSettings pacerSettings(const settings::Settings &settings)
{
    pacing::PacerSettings pacer;
    if (const auto policy = policyNamed(settings.text(Key::Policy)))
        pacer.policy = *policy;
    pacer.ratePerMinute = static_cast<double>(settings.integer(Key::RatePerMin));
    pacer.burst = static_cast<double>(settings.integer(Key::Burst));
    pacer.spacingFloor = base::Milliseconds{settings.integer(Key::SpacingFloorMs)};
    pacer.ratePinned = settings.flag(Key::RatePinned);
    return pacer;
}

heads::PoolSettings poolSettings(const settings::Settings &settings)
{
    heads::PoolSettings pool;
    pool.nurseryCap = count(settings, Key::NurseryCap);
    pool.establishedCap = count(settings, Key::EstablishedCap);
    pool.nurseryIdle = seconds(settings, Key::NurseryIdleS);
    pool.establishedIdle = seconds(settings, Key::EstablishedIdleS);
    pool.rotateAfter = seconds(settings, Key::RotateS);
    return pool;
}

pacing::RequestBudget requestBudget(const settings::Settings &settings)
{
    pacing::RequestBudget budget = pacing::resolveBudget(settings.budget());
    budget.notices.clear(); // every turn carries a copy
    return budget;
}

void readSettings(json::Value object, const std::string &path, settings::Source source,
                  settings::Settings &settings, std::vector<std::string> &notices, Problem &problem)
{
    if (!object.exists())
        return;
    if (!object.isObject())
        return problem.report(object.offset(), path, "expected an object of settings");
    for (const json::Value member : object) {
        const std::string keyName = member.key();
        const std::string keyPath = path + '.' + keyName;
        const auto key = settings::find(keyName);
        if (!key)
            return problem.report(member.offset(), keyPath, "there is no such setting");
        const settings::Kind kind = settings::row(*key).kind;
        const auto text = settingText(member, kind);
        if (!text)
            return problem.report(member.offset(), keyPath, std::string(expectation(kind)));
        const auto outcome = settings.set(source, *key, *text);
        if (!outcome.accepted) {
            return problem.report(member.offset(), keyPath,
                                  outcome.notice ? outcome.notice->text : "is malformed");
        }
        if (outcome.notice)
            notices.push_back(outcome.notice->text);
    }
}

} // namespace headway::lab
