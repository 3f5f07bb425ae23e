// Decides which requests are for this app: by host, path, key and named environment.
#include <algorithm>

#include "base/ascii.hpp"
#include "http/request/host.hpp"
#include "identity/credentials.hpp"
#include "ops/service/impl.hpp"
#include "ops/service/paths.hpp"

namespace svc::ops {
namespace {

bool is_among(const std::vector<std::string>& hosts, std::string_view host) {
    return std::ranges::any_of(hosts,
                               [host](const std::string& one) { return base::iequals(one, host); });
}

}  // namespace

// If the host is not this app's alone but the platform's, the path or the key must say that the
// request is for this app; such a request means dev unless it names prod. Any other host belongs to
// another app, or to none.
http::Claim AppService::claim(const http::Head& head) {
    if (impl_->settings.hosts.empty()) return http::Claim::serve;
    const bool own_host = impl_->own_host(head.host);
    if (!own_host && !impl_->shared_host(head.host)) return http::Claim::hand_off;
    const auto asked = dev_or_prod(head.header("x-svc-env"));
    const bool foreign_env =
        asked ? *asked != impl_->settings.env : !own_host && impl_->settings.env != Env::dev;
    const bool changes_tables =
        head.method == "POST" && ops::api_path(impl_->own_path(head)) == data::kMigratePath;
    if (foreign_env || changes_tables) return http::Claim::hand_off;
    if (own_host || ops::below_preview(head.path, impl_->settings.project) ||
        ops::is_kept_by_others(head.path, impl_->router, impl_->settings.project))
        return http::Claim::serve;
    const bool ours = ops::api_path(head.path) && impl_->keys.find(identity::bearer(head));
    return ours ? http::Claim::serve : http::Claim::hand_off;
}

bool AppService::Impl::own_host(std::string_view host) const {
    return is_among(settings.hosts, host);
}

// HTTP/1.0 needs no host: who connects knows where to.
bool AppService::Impl::shared_host(std::string_view host) const {
    return settings.platform_hosts.empty() || host.empty() || http::is_address(host) ||
           is_among(settings.platform_hosts, host);
}

std::string_view AppService::Impl::own_path(const http::Head& head) const {
    if (own_host(head.host)) return head.path;
    return ops::below_preview(head.path, settings.project).value_or(head.path);
}

}  // namespace svc::ops
