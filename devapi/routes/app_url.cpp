#include "routes/app_url.hpp"

namespace svc::devapi {
namespace {

std::string url(const Config& config, const std::string& label) {
    const std::string port = config.listen_port();
    return "http://" + label + "." + config.apps_domain + (port == "80" ? "" : ":" + port);
}

}  // namespace

std::string preview_url(const Config& config, const std::string& slug) {
    return url(config, "preview-" + slug);
}

std::string published_url(const Config& config, const std::string& slug) {
    return url(config, slug);
}

}  // namespace svc::devapi
