// What happened in an app, as …/tail tells it: an entry on each line.
#pragma once

#include <nlohmann/json.hpp>

namespace svc::cli {

void print_entry(const nlohmann::json& entry);

}  // namespace svc::cli
