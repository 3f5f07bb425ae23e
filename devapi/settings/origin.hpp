// Where an app answers.
#pragma once

#include <string>

namespace svc::devapi {

// The host of servers on clones, which nobody reaches. What is svcd's to answer they hand to it
// like all others, so svcd answers there too.
inline constexpr const char* kVerifyHost = "verify.invalid";

// Without a slash at its end. `origin`: SVC_APPS_ORIGIN, whose * the label stands for; where it is
// empty http://<label>.<apps domain>:<port>.
inline std::string app_origin(const std::string& origin, const std::string& apps_domain,
                              const std::string& listen, const std::string& label) {
    if (const auto star = origin.find('*'); star != std::string::npos)
        return origin.substr(0, star) + label + origin.substr(star + 1);
    const std::string port = listen.substr(listen.rfind(':') + 1);
    return "http://" + label + "." + apps_domain + (port == "80" ? "" : ":" + port);
}

}  // namespace svc::devapi
