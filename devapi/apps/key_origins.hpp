// Origins of browser keys below the apps domain: a name there may be another project's tomorrow.
#pragma once

#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// Removes from each key the origins below the apps domain that do not belong to the project now. A
// key with the origin of the project's preview host gets all present names of the project, because
// it was made for the app's own pages.
void narrow_origins(const AppsConfig& config, Store& store, const std::string& project,
                    std::vector<KeyRecord>& keys);

}  // namespace svc::devapi
