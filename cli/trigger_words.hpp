// What starts a workflow, in words: "order_line created", "every 5m", "at 0 9 * * 1".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace svc::cli {

std::string trigger_words(const nlohmann::json& trigger);

}  // namespace svc::cli
