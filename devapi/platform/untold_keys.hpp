// Projects whose keys have changed and whose running servers may not know it yet. The platform's
// database notes them by a trigger, in the transaction of the change (`keys_untold`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

std::vector<std::string> projects_with_untold_keys(Store& store);

// How many changes stand there for a project; nothing where its servers know all of them.
std::optional<std::int64_t> untold_changes(Store& store, const std::string& project_id);

// Every server has read the keys as they were after `changes`: the note goes, unless there were
// more since.
void keys_are_told(Store& store, const std::string& project_id, std::int64_t changes);

}  // namespace svc::devapi
