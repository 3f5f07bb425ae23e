#include "routes/app_url.hpp"

#include "auth/link/mailed_link.hpp"
#include "base/app_paths.hpp"
#include "settings/origin.hpp"

namespace svc::devapi {

std::string preview_url(const Config& config, const std::string& slug) {
    return app_origin(config, "preview-" + slug);
}

std::string published_url(const Config& config, const std::string& slug) {
    return app_origin(config, slug);
}

std::string magic_link(const std::string& app, const std::string& token) {
    return app + std::string(base::kApiPath) + std::string(auth::link::kMagicLink.path) +
           "?token=" + token;
}

}  // namespace svc::devapi
