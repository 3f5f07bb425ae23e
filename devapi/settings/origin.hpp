// Where an app answers.
#pragma once

#include <string>

namespace svc::devapi {

// The host of servers on clones, which nobody reaches. Like all app servers they pass requests for
// svcd on, so svcd answers there too.
inline constexpr const char* kVerifyHost = "verify.invalid";

// Where an app answers under this label, without a slash at its end: SVC_APPS_ORIGIN, whose * the
// label stands for; where that is empty http://<label>.<apps domain>:<port>. `config`: Config or
// AppsConfig.
template <class Settings>
std::string app_origin(const Settings& config, const std::string& label) {
    const std::string& origin = config.apps_origin;
    if (const auto star = origin.find('*'); star != std::string::npos)
        return origin.substr(0, star) + label + origin.substr(star + 1);
    const std::string port = config.listen.substr(config.listen.rfind(':') + 1);
    return "http://" + label + "." + config.apps_domain + (port == "80" ? "" : ":" + port);
}

}  // namespace svc::devapi
