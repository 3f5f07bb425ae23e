// The generated sources of what is live, for people to read: <project>/<env>/generated.
#pragma once

#include <string>

#include "emit/file_set.hpp"

namespace svc::devapi {

// Brings `folder`/generated to these files and svc.json to the contract; files that a person
// changed are first copied to `folder`/backups/<time>. After a kill it may run again. Throws
// std::system_error.
void write_generated(const std::string& folder, const emit::FileSet& files,
                     const std::string& contract);

}  // namespace svc::devapi
