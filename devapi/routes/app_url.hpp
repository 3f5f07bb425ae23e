// Where a project's app answers.
#pragma once

#include <string>

#include "settings/config.hpp"

namespace svc::devapi {

// http://preview-<slug>.<apps domain>:<port>, without a slash at its end.
std::string preview_url(const Config& config, const std::string& slug);
std::string published_url(const Config& config, const std::string& slug);
// The address that signs in at the app of this origin, as the user for whom the token was made.
std::string magic_link(const std::string& app, const std::string& token);

}  // namespace svc::devapi
