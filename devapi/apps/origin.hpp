// Where an app answers.
#pragma once

#include <string>

#include "apps/apps.hpp"

namespace svc::devapi {

// http://<label>.<apps domain>:<port>, without a slash at its end.
inline std::string app_origin(const std::string& apps_domain, const std::string& listen,
                              const std::string& label) {
    const std::string port = listen.substr(listen.rfind(':') + 1);
    return "http://" + label + "." + apps_domain + (port == "80" ? "" : ":" + port);
}
inline std::string app_origin(const AppsConfig& config, const std::string& label) {
    return app_origin(config.apps_domain, config.listen, label);
}

}  // namespace svc::devapi
