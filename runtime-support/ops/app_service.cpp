#include "ops/app_service.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <functional>

#include "auth/dispatch.hpp"
#include "base/ascii.hpp"
#include "data/actions.hpp"
#include "data/queries.hpp"
#include "data/search/search.hpp"
#include "data/sql/raw_sql.hpp"
#include "http/host.hpp"
#include "http/params.hpp"
#include "http/path.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "identity/gate.hpp"
#include "identity/identify.hpp"
#include "identity/key_store.hpp"
#include "identity/signer.hpp"
#include "ops/cors.hpp"
#include "ops/document.hpp"
#include "ops/mailer.hpp"
#include "ops/request_ring.hpp"
#include "ops/router.hpp"
#include "ops/shared.hpp"
#include "ops/upkeep.hpp"

namespace svc {
namespace {

using auth::Done;
using identity::refusal;

constexpr std::string_view kRuntime = "/__svc";
constexpr std::string_view kData = "/api/v1/";
constexpr std::string_view kElsewhere = "ext/";  // below it, rows of other databases
constexpr std::string_view kQueries = "/queries";
constexpr std::string_view kSearch = "/api/v1/search";
constexpr std::string_view kRaw = "/data";
constexpr std::string_view kMigrate = "/__svc/data/migrate";
constexpr std::string_view kDocument = "/api/v1/openapi.json";
constexpr std::string_view kAccounts[] = {"/__svc/auth/", "/__svc/orgs"};
constexpr std::size_t kBodyLimit = 1024 * 1024;
constexpr std::size_t kAccountBodyLimit = 16 * 1024;  // four short texts
constexpr std::chrono::minutes kUpkeep{5};
constexpr std::chrono::seconds kKeysPause{5};

// The rest of a path behind `prefix` where that is whole segments of it, else nothing.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
    if (!path.starts_with(prefix)) return std::nullopt;
    const std::string_view rest = path.substr(prefix.size());
    if (!rest.empty() && rest.front() != '/') return std::nullopt;
    return rest;
}

// The same for /preview/<project>.
std::optional<std::string_view> below_preview(std::string_view path, std::string_view project) {
    constexpr std::string_view kPreview = "/preview/";
    if (project.empty() || !path.starts_with(kPreview)) return std::nullopt;
    return below(path.substr(kPreview.size()), project);
}

bool is_among(const std::vector<std::string>& hosts, std::string_view host) {
    return std::ranges::any_of(hosts,
                               [host](const std::string& one) { return base::iequals(one, host); });
}

void answer_ok(http::Exchange& exchange) { exchange.reply().body = R"({"ok":true})"; }

ops::Router make_router(const App& app) {
    ops::Router router;
    for (const Route& route : app.routes) router.add(route.method, route.path, {&route, nullptr});
    for (const auto table : auth::routes())
        for (const auth::AuthRoute& route : table)
            router.add(route.method, route.path, {nullptr, &route});
    return router;
}

// What the query string may hold on the route that a request matched.
http::ParamNames params_of(const ops::Router::Match& match, std::string_view path) {
    if (path == kSearch) return data::search::kSearchParams;
    if (!match.endpoint) return {};
    if (match.endpoint->data) return data::params_of(*match.endpoint->data);
    return match.endpoint->account->params;
}

// Of every route, before its handler is asked.
Done check_query(const http::Exchange& exchange, http::ParamNames known) {
    const std::string_view query = exchange.head().query;
    if (query.empty()) return Done();
    const auto error = http::check_params(query, known);
    return error ? Done(identity::Refusal{*error}) : Done();
}

// An encoded slash is part of a segment: of a query's name, whose folders it may part, and of a
// key that another database has. No other segment of a route can hold one.
bool holds_slash(const http::Head& head) {
    return head.decoded && head.path.find(http::kEncodedSlash) != std::string_view::npos;
}

identity::Refusal slash_refused() {
    return refusal(Code::bad_request, "An encoded slash (%2F) does not stand in this path.");
}

std::string with_slashes(std::string_view segment) {
    std::string out(segment);
    std::ranges::replace(out, http::kEncodedSlash, '/');
    return out;
}

db::PoolSettings pool(const std::string& url, unsigned connections) {
    db::PoolSettings settings;
    settings.url = url;
    settings.connections = connections;
    return settings;
}

}  // namespace

struct AppService::Impl {
    Impl(asio::io_context& io, const App& app, const Settings& given, HandOff hand_off)
        : io(io),
          app(app),
          settings(given),
          hand_off(std::move(hand_off)),
          data(io, pool(given.data_url, given.data_connections)),
          system(io, pool(given.system_url, given.system_connections)),
          shared(ops::shared_by(given)),
          gate(keys, shared->budget, given.env),
          identifier(io, app, system),
          accounts{app, settings, identifier, system, shared->throttles, shared->outside},
          cursors(given.secret, "cursor"),
          router(make_router(app)),
          document(app.openapi),
          seen(given.requests) {}

    Task<> answer_probe(http::Exchange& exchange, std::string_view path);
    Task<> answer_ready(http::Exchange& exchange);
    Task<> answer_seen(http::Exchange& exchange, std::string_view path);
    Task<> answer_runtime(http::Exchange& exchange, std::string_view path);
    Task<Done> route(http::Exchange& exchange, std::string_view path,
                     std::shared_ptr<const AppKey>& key);
    Task<Done> answer_data(http::Exchange& exchange, const Route& route, std::string_view id,
                           std::shared_ptr<const AppKey> key);
    Task<Done> answer_queries(http::Exchange& exchange, std::string_view rest,
                              std::shared_ptr<const AppKey> key);
    Task<Done> answer_search(http::Exchange& exchange, std::shared_ptr<const AppKey> key);
    // True: the caller's session has ended, nothing was answered.
    using Act = std::function<Task<bool>(const Caller&)>;
    Task<Done> as_caller(http::Exchange& exchange, std::shared_ptr<const AppKey> key,
                         const Act& act);
    Task<bool> acts_otherwise(http::Exchange& exchange, const Caller& caller);
    Task<Done> answer_raw(http::Exchange& exchange, std::string_view what,
                          std::shared_ptr<const AppKey> key);
    Task<Done> answer_document(http::Exchange& exchange, std::shared_ptr<const AppKey> key);
    Done no_route(http::Exchange& exchange, std::string_view path, std::string_view allow) const;
    bool own_host(std::string_view host) const;
    bool shared_host(std::string_view host) const;
    // Without /preview/<project>, which is no path of a host that is the app's alone: cookies would
    // have the plain names of shared hosts there.
    std::string_view own_path(const http::Head& head) const {
        if (own_host(head.host)) return head.path;
        return below_preview(head.path, settings.project).value_or(head.path);
    }

    asio::io_context& io;
    const App& app;
    const Settings settings;
    const HandOff hand_off;
    db::Pool data;    // runs callers' statements, under row-level security
    db::Pool system;  // accounts, sessions, keys
    identity::KeyStore keys;
    std::shared_ptr<ops::Shared> shared;
    identity::Gate gate;
    identity::Identifier identifier;
    const auth::Context accounts;
    const identity::Signer cursors;
    const ops::Router router;
    ops::Document document;
    ops::RequestRing seen;
};

AppService::AppService(asio::io_context& io, const App& app, const Settings& settings,
                       HandOff hand_off)
    : impl_(std::make_unique<Impl>(io, app, settings, std::move(hand_off))) {}

AppService::~AppService() = default;

Task<> AppService::open() {
    impl_->system.begin();
    co_await impl_->data.open();
    co_await impl_->system.open();
    co_await reload_keys();
    asio::co_spawn(impl_->io, ops::keep_keys(impl_->io, impl_->system, impl_->keys, kKeysPause),
                   asio::detached);
}

Task<> AppService::reload_keys() { co_await impl_->keys.reload(impl_->system); }

void AppService::keep_up() {
    asio::co_spawn(impl_->io, ops::keep_up(impl_->io, impl_->system, kUpkeep), asio::detached);
    asio::co_spawn(
        impl_->io,
        ops::send_mails(impl_->io, impl_->system, impl_->settings, std::string(impl_->app.name)),
        asio::detached);
}

// Where the host is not this app's alone but the platform's, the path or the key must say that the
// request is ours; dev is what such a request means unless it names prod. Any other host is
// another app's, or nobody's.
http::Claim AppService::claim(const http::Head& head) {
    if (impl_->settings.hosts.empty()) return http::Claim::serve;
    const bool own_host = impl_->own_host(head.host);
    if (!own_host && !impl_->shared_host(head.host)) return http::Claim::hand_off;
    const std::string_view asked = head.header("x-svc-env");
    const bool foreign_env = (asked == "dev" || asked == "prod")
                                 ? asked != impl_->settings.env
                                 : !own_host && impl_->settings.env != "dev";
    const bool changes_tables =
        head.method == "POST" && impl_->own_path(head) == kMigrate;  // svcd's: no role of ours may
    if (foreign_env || changes_tables) return http::Claim::hand_off;
    if (own_host || below_preview(head.path, impl_->settings.project)) return http::Claim::serve;
    const bool ours = below(head.path, kRuntime) && impl_->keys.find(identity::bearer(head));
    return ours ? http::Claim::serve : http::Claim::hand_off;
}

std::size_t AppService::body_limit(const http::Head& head) {
    const std::string_view path = impl_->own_path(head);
    const auto begins = [path](std::string_view prefix) { return path.starts_with(prefix); };
    return std::ranges::any_of(kAccounts, begins) ? kAccountBodyLimit : kBodyLimit;
}

void AppService::hand_off(http::Connection connection) { impl_->hand_off(std::move(connection)); }

Task<> AppService::handle(http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    const std::string_view path = impl_->own_path(head);
    const auto runtime = below(path, kRuntime);
    if (runtime && head.method == "OPTIONS")
        ops::answer_preflight(exchange, impl_->keys);
    else if (runtime)
        co_await impl_->answer_seen(exchange, *runtime);
    else if (path == "/healthz" || path == "/readyz")
        co_await impl_->answer_probe(exchange, path);
    else if (holds_slash(head))
        identity::refuse(exchange.reply(), slash_refused());
    else
        identity::refuse(exchange.reply(), refusal(Code::not_found, "There is nothing here."));
}

Task<> AppService::Impl::answer_probe(http::Exchange& exchange, std::string_view path) {
    if (const Done fit = check_query(exchange, {}); !fit)
        identity::refuse(exchange.reply(), fit.error());
    else if (path == "/readyz")
        co_await answer_ready(exchange);
    else
        answer_ok(exchange);
}

Task<> AppService::Impl::answer_ready(http::Exchange& exchange) {
    const db::Command ping = identity::command("svc_ping", "select 1", {});
    const db::Outcome data_up = co_await data.run({&ping, 1});
    const db::Outcome system_up = co_await system.run({&ping, 1});
    if (data_up.ok && system_up.ok)
        answer_ok(exchange);
    else
        identity::refuse(exchange.reply(),
                         refusal(Code::unavailable, "The database cannot be reached just now."));
}

Task<> AppService::Impl::answer_seen(http::Exchange& exchange, std::string_view path) {
    const std::int64_t began_at = ops::RequestRing::now();
    co_await answer_runtime(exchange, path);
    seen.add(exchange.head().method, path, exchange.reply().status, began_at);
}

Task<> AppService::Impl::answer_runtime(http::Exchange& exchange, std::string_view path) {
    std::shared_ptr<const AppKey> key;
    const Done done = co_await route(exchange, path, key);
    if (!done) identity::refuse(exchange.reply(), done.error());
    // A refused key speaks for its own origins too; what others are bound to is not its business.
    if (!key) key = keys.find(identity::bearer(exchange.head()));
    ops::answer_origin(exchange, keys, key.get());
}

// `key` is set once the request was admitted.
Task<Done> AppService::Impl::route(http::Exchange& exchange, std::string_view path,
                                   std::shared_ptr<const AppKey>& key) {
    const ops::Router::Match match = router.match(exchange.head().method, path);
    const auto query = below(path, kQueries);  // names hold slashes: no path of the router's
    const auto raw = below(path, kRaw);
    const bool data_route = path.starts_with(kData) || query || raw;
    const bool keyed_elsewhere =
        match.endpoint && match.endpoint->data && match.endpoint->data->entity->external;
    if (!query && !keyed_elsewhere && holds_slash(exchange.head())) co_return slash_refused();
    if (!match.endpoint && !data_route) co_return no_route(exchange, path, match.allow);

    const auth::AuthRoute* account = match.endpoint ? match.endpoint->account : nullptr;
    // What is no route, or not with this method, is told that first.
    const bool known = match.endpoint || query || raw || path == kSearch || path == kDocument;
    const bool any_query = !known || (account && account->foreign_params);
    const Done fit = any_query ? Done() : check_query(exchange, params_of(match, path));
    if (account && account->need == auth::Need::nothing) {
        if (!fit) co_return fit.error();
        co_return co_await auth::answer(accounts, *account, exchange, nullptr, match.id);
    }

    auto admitted = gate.enter(
        exchange.head(), data_route ? identity::Marker::needed : identity::Marker::not_needed);
    if (!admitted) co_return admitted.error();
    key = *admitted;
    if (!fit) co_return fit.error();
    if (query) co_return co_await answer_queries(exchange, *query, key);
    if (path == kSearch) co_return co_await answer_search(exchange, key);
    if (raw) co_return co_await answer_raw(exchange, *raw, key);
    if (path == kDocument) co_return co_await answer_document(exchange, key);
    if (!match.endpoint) co_return no_route(exchange, path, match.allow);
    if (account) co_return co_await auth::answer(accounts, *account, exchange, key, match.id);
    co_return co_await answer_data(exchange, *match.endpoint->data, match.id, key);
}

Task<Done> AppService::Impl::answer_data(http::Exchange& exchange, const Route& route,
                                         std::string_view id, std::shared_ptr<const AppKey> key) {
    std::string with_slash;
    if (holds_slash(exchange.head())) id = with_slash = with_slashes(id);

    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto caller = co_await identifier.identify(exchange.head(), key);
        if (!caller) co_return caller.error();
        const bool stale = co_await data::perform(route, id, exchange, *caller, app, data, cursors);
        if (!stale) {
            const bool more = co_await acts_otherwise(exchange, *caller);
            if (!more) co_return Done();
            exchange.reply().clear();
            continue;
        }
        identifier.sessions().forget(caller->session_hash);
    }
    co_return refusal(Code::unauthorized, "The app session has ended. Sign in again.");
}

Task<Done> AppService::Impl::answer_queries(http::Exchange& exchange, std::string_view rest,
                                            std::shared_ptr<const AppKey> key) {
    const std::string_view method = exchange.head().method;
    const bool list = rest.size() <= 1;
    const bool fits = list ? method == "GET" || method == "HEAD" : method == "POST";
    if (!fits) co_return no_route(exchange, kQueries, list ? "GET, HEAD" : "POST");
    const std::string name = list ? "" : with_slashes(rest.substr(1));
    if (list) {
        const auto caller = co_await identifier.identify(exchange.head(), key);
        if (!caller) co_return caller.error();
        data::list_queries(exchange, *caller, app);
        co_return Done();
    }
    const Act run = [&](const Caller& caller) {
        return data::run_query(name, exchange, caller, app, data);
    };
    co_return co_await as_caller(exchange, key, run);
}

Task<Done> AppService::Impl::answer_search(http::Exchange& exchange,
                                           std::shared_ptr<const AppKey> key) {
    const std::string_view method = exchange.head().method;
    if (method != "GET" && method != "HEAD") co_return no_route(exchange, kSearch, "GET, HEAD");
    const Act search = [&](const Caller& caller) {
        return data::search::search(exchange, caller, app, data);
    };
    co_return co_await as_caller(exchange, key, search);
}

Task<Done> AppService::Impl::as_caller(http::Exchange& exchange, std::shared_ptr<const AppKey> key,
                                       const Act& act) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto caller = co_await identifier.identify(exchange.head(), key);
        if (!caller) co_return caller.error();
        const bool stale = co_await act(*caller);
        if (!stale) {
            const bool more = co_await acts_otherwise(exchange, *caller);
            if (!more) co_return Done();
            exchange.reply().clear();
            continue;
        }
        identifier.sessions().forget(caller->session_hash);
    }
    co_return refusal(Code::unauthorized, "The app session has ended. Sign in again.");
}

// A refusal before the database was asked goes by the role in an organisation that this process
// remembers. True: he has another one by now.
Task<bool> AppService::Impl::acts_otherwise(http::Exchange& exchange, const Caller& caller) {
    constexpr int kForbidden = 403;
    const bool by_role = exchange.reply().status == kForbidden && !app.org_roles.empty();
    if (!by_role || caller.session_hash.empty()) co_return false;
    const auto shown = identity::shown_session(exchange.head());
    const auto now = co_await identifier.sessions().read(shown.token);
    co_return now&&* now && (*now)->names != caller.names;
}

Task<Done> AppService::Impl::answer_raw(http::Exchange& exchange, std::string_view what,
                                        std::shared_ptr<const AppKey> key) {
    if (exchange.head().method != "POST") co_return no_route(exchange, kRaw, "POST");
    const auto allowed = identity::check_server_key(exchange.head(), *key);
    if (!allowed) co_return allowed.error();
    const auto caller = co_await identifier.identify(exchange.head(), key);
    if (!caller) co_return caller.error();
    co_await data::sql::run_raw(what.substr(std::min<std::size_t>(1, what.size())), exchange,
                                *caller, app, data);
    co_return Done();
}

// The same for whoever has the key; an app session that has ended is told so, as elsewhere.
Task<Done> AppService::Impl::answer_document(http::Exchange& exchange,
                                             std::shared_ptr<const AppKey> key) {
    const std::string_view method = exchange.head().method;
    if (method != "GET" && method != "HEAD") co_return no_route(exchange, kDocument, "GET, HEAD");
    const auto caller = co_await identifier.identify(exchange.head(), key);
    if (!caller) co_return caller.error();
    document.answer(exchange);
    co_return Done();
}

Done AppService::Impl::no_route(http::Exchange& exchange, std::string_view path,
                                std::string_view allow) const {
    if (!allow.empty()) {
        exchange.reply().header("Allow", allow);
        return refusal(Code::method_not_allowed,
                       "This path answers " + std::string(allow) + " only.");
    }
    if (!path.starts_with(kData)) return refusal(Code::not_found, "There is no such route.");

    // Names that no table can have; they are routes of their own where they are served.
    constexpr std::string_view kNoTables[] = {"", "search", "openapi.json", "ext"};
    path.remove_prefix(kData.size());
    const bool elsewhere = path.starts_with(kElsewhere);
    if (elsewhere) path.remove_prefix(kElsewhere.size());
    const std::string_view table = path.substr(0, path.find('/'));
    const auto named = [table](const Entity* entity) { return entity->name == table; };
    if (std::ranges::find(kNoTables, table) != std::end(kNoTables) ||
        std::ranges::any_of(app.entities, named))
        return refusal(Code::not_found, "There is no such route.");
    return refusal(Code::table_forbidden, "This table is not exposed.");
}

bool AppService::Impl::own_host(std::string_view host) const {
    return is_among(settings.hosts, host);
}

// HTTP/1.0 needs no host: who connects knows where to.
bool AppService::Impl::shared_host(std::string_view host) const {
    return settings.platform_hosts.empty() || host.empty() || http::is_address(host) ||
           is_among(settings.platform_hosts, host);
}

}  // namespace svc
