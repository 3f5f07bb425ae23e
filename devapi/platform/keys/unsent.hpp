// Projects whose keys or secrets have changed and whose running servers, or databases, may not know
// it yet. The platform's database notes them by a trigger, in the transaction of the change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

enum class Unsent { keys, secrets };

std::vector<std::string> unsent_projects(Store& store, Unsent what);

// The number of changes of a project that are not sent yet. Nothing if all were sent.
std::optional<std::int64_t> unsent_changes(Store& store, Unsent what,
                                           const std::string& project_id);

// Records that all servers have the state after `changes`. Deletes the row, unless there were more
// changes since.
void mark_sent(Store& store, Unsent what, const std::string& project_id, std::int64_t changes);

}  // namespace svc::devapi
