#include "ops/service/paths.hpp"

#include "base/app_paths.hpp"
#include "http/request/path.hpp"

namespace svc::ops {

std::optional<std::string_view> api_path(std::string_view path) {
    return http::below(path, base::kApiPath);
}

std::optional<std::string_view> runtime_path(std::string_view path, const route::Router& router) {
    if (router.is_kept_address(path)) return path;
    return api_path(path);
}

std::optional<std::string_view> below_preview(std::string_view path, std::string_view project) {
    if (project.empty() || !path.starts_with(base::kPreviewPath)) return std::nullopt;
    return http::below(path.substr(base::kPreviewPath.size()), project);
}

bool is_kept_by_others(std::string_view path, const route::Router& router,
                       std::string_view project) {
    const auto rest = runtime_path(path, router);
    return rest && router.is_kept_address_of(*rest, project);
}

}  // namespace svc::ops
