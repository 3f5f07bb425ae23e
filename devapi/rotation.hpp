// Replaces the master key: `svcd --rotate-master-key`.
//
// The new key is in <file>.next until the last step, which renames it. A svcd that finds such a
// file continues the rotation, so after a kill at any time every sealed value opens with one of the
// two keys.
#pragma once

#include <string>

#include "settings/config.hpp"

namespace svc::devapi {

// Blocks, before anything else of svcd works with the key. Seals under `next` what was sealed under
// `old`: secrets of projects, second factors of builders and of apps' users, and providers' secrets
// of apps; the administrator of
// the private PostgreSQL gets its new password last. May run again. Throws pqxx::failure.
void reseal_everything(const Config& config, const std::string& old, const std::string& next,
                       const std::string& admin_url);

// The key of the rotation. Empty: no rotation runs, and none was requested.
std::string next_master_key(const Config& config);
// Puts the new key in the place of the old one. Throws std::system_error.
void finish_rotation(const Config& config);

}  // namespace svc::devapi
