// Another master key in the place of the one that is there: `svcd --rotate-master-key`.
//
// The new key stands in <file>.next from the first step to the last, which gives it the file's own
// name. A svcd that finds one there goes on with it, so a kill at any moment leaves what was sealed
// readable: each value opens with one of the two.
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

// The key to go on with. Empty: none is under way, and none was asked for.
std::string next_master_key(const Config& config);
// Puts the new key in the place of the old one. Throws std::system_error.
void finish_rotation(const Config& config);

}  // namespace svc::devapi
