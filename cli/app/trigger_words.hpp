// The trigger of a workflow in words: "order_line created", "every 5m", "at 0 9 * * 1"; and its
// next time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace svc::cli {

std::string trigger_words(const nlohmann::json& trigger);

// When those of `schedules` start that the clock starts, with the zone; each {zone, next}, and its
// name as the member `name`. Whole lines; empty if there is none.
std::string schedule_lines(const nlohmann::json& schedules, const char* name);

}  // namespace svc::cli
