#include "ops/service/paths.hpp"

namespace svc::ops {
namespace {

constexpr std::string_view kRuntime = "/__svc";
constexpr std::string_view kHooks = "/hooks";

// The rest of a path behind `prefix` if that is whole segments of it, else nothing.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
    if (!path.starts_with(prefix)) return std::nullopt;
    const std::string_view rest = path.substr(prefix.size());
    if (!rest.empty() && rest.front() != '/') return std::nullopt;
    return rest;
}

}  // namespace

std::optional<std::string_view> api_path(std::string_view path) { return below(path, kRuntime); }

std::optional<std::string_view> runtime_path(std::string_view path) {
    if (below(path, kHooks)) return path;
    return api_path(path);
}

std::optional<std::string_view> below_preview(std::string_view path, std::string_view project) {
    constexpr std::string_view kPreview = "/preview/";
    if (project.empty() || !path.starts_with(kPreview)) return std::nullopt;
    return below(path.substr(kPreview.size()), project);
}

bool is_hook_of(std::string_view path, std::string_view project) {
    const auto rest = runtime_path(path);
    const auto behind = rest ? below(*rest, kHooks) : std::nullopt;
    if (!behind || behind->empty() || project.empty()) return false;
    return below(behind->substr(1), project).has_value();
}

}  // namespace svc::ops
