// Projects whose keys or secrets have changed and whose running servers, or databases, may not know
// it yet. The platform's database notes them by a trigger, in the transaction of the change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

enum class Told { keys, secrets };

std::vector<std::string> untold_projects(Store& store, Told what);

// How many changes of a project are not sent yet; nothing if all were sent.
std::optional<std::int64_t> untold_changes(Store& store, Told what, const std::string& project_id);

// All servers got the state after `changes`: the row is deleted, unless there were more changes
// since.
void all_told(Store& store, Told what, const std::string& project_id, std::int64_t changes);

}  // namespace svc::devapi
