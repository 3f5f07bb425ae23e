// Generated files that a person changed, kept before they are written anew.
#pragma once

#include <string>
#include <vector>

namespace svc::devapi {

// Copies these files of `folder` below <backups>/<time>/, the time in UTC: 20261121T020000Z.
// Nothing is made where there are none. Throws std::filesystem::filesystem_error.
void keep_copies(const std::string& folder, const std::vector<std::string>& files,
                 const std::string& backups);

}  // namespace svc::devapi
