#include "cli/trigger_words.hpp"

#include <nlohmann/json.hpp>

#include "cli/session.hpp"

namespace svc::cli {
namespace {

std::string span_words(long seconds) {
    for (const auto& [unit, size] : {std::pair{'d', 86400L}, {'h', 3600L}, {'m', 60L}})
        if (seconds >= size && seconds % size == 0) return std::to_string(seconds / size) + unit;
    return std::to_string(seconds) + "s";
}

}  // namespace

std::string trigger_words(const nlohmann::json& trigger) {
    const std::string kind = text_of(trigger, "kind");
    if (kind == "event") return text_of(trigger, "table") + " " + text_of(trigger, "event");
    if (kind == "transition")
        return text_of(trigger, "table") + " " + text_of(trigger, "transition");
    if (kind == "cron") return "at " + text_of(trigger, "cron") + " " + text_of(trigger, "tz");
    if (kind == "every") return "every " + span_words(trigger.value("seconds", 0L));
    if (kind == "webhook") return "webhook " + text_of(trigger, "name");
    if (kind == "topic") return "topic " + text_of(trigger, "pattern");
    if (kind == "auth") return text_of(trigger, "event");
    if (kind == "failed") return text_of(trigger, "workflow") + " failed";
    return kind == "manual" ? "by hand" : kind;
}

}  // namespace svc::cli
