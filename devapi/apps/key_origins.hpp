// Origins of browser keys below the apps domain: a name there may be another project's tomorrow.
#pragma once

#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// Takes out of each key the origins of names below the apps domain that are not the project's own
// now. A key with the origin of the project's preview host has all of its own names as they are
// now: such a key was made for the app's own pages.
void narrow_origins(const AppsConfig& config, Store& store, const std::string& project,
                    std::vector<KeyRecord>& keys);

}  // namespace svc::devapi
