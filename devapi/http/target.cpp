#include "http/target.hpp"

#include <algorithm>

#include "base/app_paths.hpp"
#include "base/ascii.hpp"
#include "feed/stream/subscribe_rows.hpp"
#include "http/request/parser.hpp"
#include "http/request/path.hpp"
#include "identity/credentials.hpp"
#include "route/router.hpp"
#include "settings/platform_hosts.hpp"

namespace svc::devapi {
namespace {

using identity::bearer;

constexpr std::string_view kPreviewHost = "preview-";
using base::kApiPath;
using base::kHooksPath;
using base::kPreviewPath;
constexpr std::string_view kMigratePath = "/data/migrate";

Target refused(Code code, std::string message) {
    Target target;
    target.kind = Target::Kind::refused;
    target.error.code = code;
    target.error.message = std::move(message);
    return target;
}

// The host in the compared form, without a dot at its end, which DNS allows.
std::string host_of(const http::Head& head) {
    std::string host = base::lower(head.host);
    if (host.size() > 1 && host.ends_with('.')) host.pop_back();
    return host;
}

// The label before ".<apps domain>", or empty.
std::string_view app_label(std::string_view host, const Config& config) {
    const std::string tail = "." + config.apps_domain;
    if (!host.ends_with(tail)) return {};
    return host.substr(0, host.size() - tail.size());
}

// The rest of the path after /__svc, also below /preview/<project>.
std::optional<std::string_view> runtime_path(const http::Head& head) {
    std::string_view path = head.path;
    if (path.starts_with(kPreviewPath)) {
        path.remove_prefix(kPreviewPath.size());
        path.remove_prefix(std::min(path.find('/'), path.size()));
    }
    return http::below(path, kApiPath);
}

bool is_migration(const http::Head& head) {
    return head.method == "POST" && runtime_path(head) == kMigratePath;
}

// The app of this project in the environment that the request or, if it says none, its host
// wants.
Target app(const std::string& project, const http::Head& head, Env env, const Directory& directory,
           const HasApp& has_app) {
    const std::string_view wanted = head.header("x-svc-env");
    const auto named = wanted.empty() ? std::optional(env) : dev_or_prod(wanted);
    if (!named) return refused(Code::params_invalid, "The header x-svc-env must be dev or prod.");
    env = *named;
    if (env == Env::prod) {
        const auto keyed = directory.by_key(bearer(head));
        if (keyed && keyed->kind == KeyKind::preview)
            return refused(Code::unauthorized,
                           "A preview token works only for the dev environment.");
    }
    if (!has_app(project, env))
        return refused(Code::no_app,
                       env == Env::prod
                           ? "This project has not been deployed yet. Deploy it with svc deploy."
                           : "This project has no app yet. Apply a contract first.");
    const auto kind = is_migration(head) ? Target::Kind::migration : Target::Kind::app;
    return {kind, project, env, {}};
}

Target by_host(std::string_view label, const http::Head& head, const Directory& directory,
               const HasApp& has_app) {
    if (const auto published = directory.by_label(label))
        return app(published->first, head, published->second, directory, has_app);
    const bool preview = label.starts_with(kPreviewHost);
    const auto project = directory.by_slug(preview ? label.substr(kPreviewHost.size()) : label);
    // If a project is published under another name, its slug is not a host.
    if (!project || (!preview && has_app(project->id, Env::prod)))
        return refused(Code::not_found, "No app answers on this host.");
    return app(project->id, head, preview ? Env::dev : Env::prod, directory, has_app);
}

Target by_domain(const std::string& host, const http::Head& head, const Directory& directory,
                 const HasApp& has_app) {
    if (const auto project = directory.by_domain(host))
        return app(*project, head, Env::prod, directory, has_app);
    return refused(Code::not_found,
                   "No app answers on this host. If it is a host of the service itself, set "
                   "SVC_PUBLIC_ORIGIN to it.");
}

Target by_preview_path(const http::Head& head, const Directory& directory, const HasApp& has_app) {
    const std::string_view rest = head.path.substr(kPreviewPath.size());
    const auto project = directory.by_id(rest.substr(0, rest.find('/')));
    if (!project) return refused(Code::not_found, "There is no project with this id.");
    return app(project->id, head, Env::dev, directory, has_app);
}

// POST /hooks/<project>/<name>, also below /__svc: its sender has no key, so the address has the
// project. Nothing if it is not such an address.
std::optional<std::string_view> hook_path(const http::Head& head) {
    std::string_view path = head.path;
    if (path.starts_with(kApiPath)) path.remove_prefix(kApiPath.size());
    if (!path.starts_with(kHooksPath)) return std::nullopt;
    return path.substr(kHooksPath.size());
}

Target by_hook(std::string_view rest, const http::Head& head, const Directory& directory,
               const HasApp& has_app) {
    const auto project = directory.by_id(rest.substr(0, rest.find('/')));
    if (!project) return refused(Code::not_found, "There is no project with this id.");
    return app(project->id, head, Env::dev, directory, has_app);
}

Target by_key(const http::Head& head, const Directory& directory, const HasApp& has_app) {
    if (head.method == "OPTIONS" && head.header("authorization").empty())
        return {Target::Kind::preflight, {}, {}, {}};
    if (bearer(head).empty())
        return refused(Code::unauthorized,
                       "The app key is missing: send Authorization: Bearer <APP_KEY>.");
    const auto keyed = directory.by_key(bearer(head));
    if (!keyed) return refused(Code::unauthorized, "The app key is not valid.");
    return app(keyed->project, head, Env::dev, directory, has_app);
}

}  // namespace

Target find_target(const http::Head& head, const Config& config, const Directory& directory,
                   const HasApp& has_app) {
    const std::string host = host_of(head);
    if (!is_platforms(config, host)) {
        const std::string_view label = app_label(host, config);
        return label.empty() ? by_domain(host, head, directory, has_app)
                             : by_host(label, head, directory, has_app);
    }
    if (head.path.starts_with(kPreviewPath)) return by_preview_path(head, directory, has_app);
    if (const auto hook = hook_path(head)) return by_hook(*hook, head, directory, has_app);
    return http::below(head.path, kApiPath) ? by_key(head, directory, has_app) : Target{};
}

bool credentials_in_query(const http::Head& head) {
    static const route::Router streams(feed::subscribe_rows());
    const auto path = head.query.empty() ? std::nullopt : runtime_path(head);
    return path && streams.credentials_in_query(*path);
}

void preflight(const http::Head& head, const Directory& directory, http::Reply& reply) {
    reply.status = 204;
    const std::string_view origin = head.header("origin");
    if (origin.empty() || !directory.knows_origin(origin)) return;
    reply.header("Access-Control-Allow-Origin", origin);
    reply.header("Vary", "Origin");
    reply.header("Access-Control-Allow-Methods", "GET, POST, PATCH, PUT, DELETE");
    reply.header("Access-Control-Allow-Headers", head.header("access-control-request-headers"));
    reply.header("Access-Control-Max-Age", "600");
}

std::optional<http::Head> read_head(std::string_view unread) {
    const std::size_t end = unread.find("\r\n\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    http::Head head;
    std::string body;
    http::RequestParser parser(head, body);
    if (!parser.parse_head(unread.substr(0, end + 4))) return std::nullopt;
    head.credentials_in_query = credentials_in_query(head);
    return head;
}

}  // namespace svc::devapi
