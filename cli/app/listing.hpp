// Shared parts of the commands for runs, webhooks and logs: an answer as a table, and the calls.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace svc::cli {

// The entries of a member, one a line; nothing if there are none. Columns are names of members.
void print_list(const nlohmann::json& answer, const char* member,
                const std::vector<std::string>& columns);

// "" for 0: the service's own.
std::string limit_text(int limit);

// A GET of a path below the project; its answer goes to `how` if it is to be shown. Exit code.
int show(CliContext& context, const std::string& rest,
         const std::function<void(const nlohmann::json&)>& how);
// Sends a POST; otherwise as above.
int send(CliContext& context, const std::string& rest, const nlohmann::json& body,
         const std::function<void(const nlohmann::json&)>& how);

}  // namespace svc::cli
