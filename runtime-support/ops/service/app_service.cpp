#include "ops/service/app_service.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <functional>

#include "auth/routes.hpp"
#include "base/ascii.hpp"
#include "data/routes.hpp"
#include "feed/routes.hpp"
#include "hook/routes.hpp"
#include "hook/sender.hpp"
#include "http/host.hpp"
#include "http/params.hpp"
#include "http/path.hpp"
#include "http/stream.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "identity/gate.hpp"
#include "identity/identify.hpp"
#include "identity/key_store.hpp"
#include "identity/signer.hpp"
#include "notice/routes.hpp"
#include "ops/cors.hpp"
#include "ops/document.hpp"
#include "ops/mailer.hpp"
#include "ops/request_ring.hpp"
#include "ops/shared.hpp"
#include "ops/upkeep.hpp"
#include "route/router.hpp"
#include "run/engine.hpp"
#include "run/http_step.hpp"
#include "run/recorder.hpp"
#include "run/routes.hpp"

namespace svc {
namespace {

using identity::refusal;
using route::Done;
using route::Entry;

constexpr std::string_view kRuntime = "/__svc";
constexpr std::string_view kHooks = "/hooks";
constexpr std::string_view kDocument = "/api/v1/openapi.json";
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

// What the runtime API answers: below /__svc, and the webhooks, whose addresses others have.
std::optional<std::string_view> runtime_path(std::string_view path) {
    if (below(path, kHooks)) return path;
    return below(path, kRuntime);
}

// A call of a webhook of this project. It has no key: its address says whose it is.
bool is_hook_of(std::string_view path, std::string_view project) {
    const auto rest = runtime_path(path);
    const auto behind = rest ? below(*rest, kHooks) : std::nullopt;
    if (!behind || behind->empty() || project.empty()) return false;
    return below(behind->substr(1), project).has_value();
}

bool is_among(const std::vector<std::string>& hosts, std::string_view host) {
    return std::ranges::any_of(hosts,
                               [host](const std::string& one) { return base::iequals(one, host); });
}

void answer_ok(http::Exchange& exchange) { exchange.reply().body = R"({"ok":true})"; }

Done check_query(const http::Exchange& exchange, const route::Endpoint& endpoint) {
    const std::string_view query = exchange.head().query;
    if (query.empty() || endpoint.foreign_params) return Done();
    const auto error = http::check_params(query, endpoint.params);
    return error ? Done(identity::Refusal{*error}) : Done();
}

Done no_route(http::Exchange& exchange, std::string_view allow) {
    if (allow.empty()) return refusal(Code::not_found, "The app has no such route.");
    exchange.reply().header("Allow", allow);
    return refusal(Code::method_not_allowed, "This path answers only " + std::string(allow) + ".");
}

// An encoded slash is part of a segment: of a query's name, whose folders it may part, and of a
// key that another database has. No other segment of a route can hold one.
bool holds_slash(const http::Head& head) {
    return head.decoded && head.path.find(http::kEncodedSlash) != std::string_view::npos;
}

identity::Refusal slash_refused() {
    return refusal(Code::bad_request, "This path may not contain an encoded slash (%2F).");
}

std::string with_slashes(std::string_view segment) {
    std::string out(segment);
    std::ranges::replace(out, http::kEncodedSlash, '/');
    return out;
}

class OneText : public db::RowSink {
  public:
    void row(const Row& row) override { text = row.text(0); }
    std::string text;
};

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
          runs(io, pool(given.system_url, 1)),
          shared(ops::shared_by(given)),
          gate(keys, shared->budget, given.env),
          identifier(io, app, system),
          accounts{app, settings, identifier, system, shared->throttles, shared->outside},
          cursors(given.secret, "cursor"),
          data_services{app,
                        data,
                        {app, identifier},
                        cursors,
                        [this](const Caller& caller) { return place_now(caller); }},
          publishing{app, data, {app, identifier}, shared->bell, shared->hubs->counts()},
          places(given.secret),
          judge(app, places, data, shared->hubs->counts()),
          handover(given.secret),
          subscribing{
              app,
              {app, identifier},
              places,
              shared->hubs,
              {{io, places, handover, judge, system, keys, identifier.sessions()}, shared->hubs},
              given.streams},
          receiving{system, shared->hook_calls, given.secret, given.project},
          noticing{data, {app, identifier}},
          http_step({system, settings.secret, settings.allow_private, shared->calls}),
          running{app, system, {app, identifier}, services},
          document(app.openapi),
          router(endpoints()),
          seen(given.requests) {}

    Task<> answer_probe(http::Exchange& exchange, std::string_view path);
    Task<> answer_ready(http::Exchange& exchange);
    Task<> answer_seen(http::Exchange& exchange, std::string_view path);
    Task<> answer_runtime(http::Exchange& exchange, std::string_view path);
    Task<Done> route(http::Exchange& exchange, std::string_view path,
                     std::shared_ptr<const AppKey>& key);
    Task<Done> answer_document(route::Request& request);
    static void go_on(http::Reply& reply);
    Task<std::string> place_now(const Caller& caller);
    void start_runs();
    void written_by_runs();
    void start_sending();
    Task<std::string> runs_now();
    std::vector<route::Endpoint> endpoints();
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
    db::Pool runs;    // steps of workflows, which may wait for locks; opened with the first
    identity::KeyStore keys;
    std::shared_ptr<ops::Shared> shared;
    identity::Gate gate;
    identity::Identifier identifier;
    const auth::Context accounts;
    const identity::Signer cursors;
    const data::Services data_services;
    const feed::Publishing publishing;
    feed::Places places;
    const feed::Judge judge;
    const feed::Handover handover;
    const feed::Subscribing subscribing;  // with the streams of this thread
    const hook::Receiving receiving;
    const notice::Noticing noticing;
    run::HttpStep http_step;
    run::Recorder recorder;
    const run::Services services =
        settings.outside ? run::Services{{"http", &http_step}} : run::recorded(recorder);
    const run::Running running;
    ops::Document document;
    const route::Router router;
    ops::RequestRing seen;
    std::unique_ptr<run::Engine> engine;  // of the one service that keeps up, in the background
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
    if (!impl_->places.has_epoch()) {
        impl_->places.set_epoch(co_await feed::read_epoch(impl_->system));
        impl_->subscribing.lines.start();
    }
    asio::co_spawn(impl_->io, ops::keep_keys(impl_->io, impl_->system, impl_->keys, kKeysPause),
                   asio::detached);
}

Task<> AppService::reload_keys() { co_await impl_->keys.reload(impl_->system); }

void AppService::keep_up() {
    // Keys, sessions and ids of streams are of the database that was opened: whoever serves another
    // one begins anew.
    impl_->shared->hubs->start(impl_->io, impl_->system, impl_->judge, impl_->places.epoch(),
                               [] { std::raise(SIGTERM); });
    asio::co_spawn(impl_->io, ops::keep_up(impl_->io, impl_->system, kUpkeep), asio::detached);
    impl_->shared->runs_now = [impl = impl_.get()] { return impl->runs_now(); };
    if (!impl_->settings.background) return;
    impl_->start_runs();
    impl_->start_sending();
}

void AppService::Impl::start_sending() {
    asio::co_spawn(io, ops::send_mails(io, system, settings, std::string(app.name), shared->mails),
                   asio::detached);
    asio::co_spawn(
        io,
        hook::send_deliveries(
            io, {app, data, system, shared->calls, settings.secret, settings.allow_private},
            shared->deliveries),
        asio::detached);
}

void AppService::Impl::start_runs() {
    engine = std::make_unique<run::Engine>(
        run::Engaged{io, settings.system_url, system, runs, services, shared->runs,
                     [this] { written_by_runs(); }, [this] { shared->deliveries.ring(); }});
    shared->work.listen([this] { asio::post(io, [this] { engine->wake(); }); });
    engine->start();
}

void AppService::Impl::written_by_runs() {
    shared->bell.ring();
    shared->mails.ring();
}

Task<std::string> AppService::Impl::runs_now() {
    OneText found;
    const db::Command command =
        identity::command("svc_runs_metrics", "select svc.runs_metrics()", {}, &found);
    co_await system.run({&command, 1});
    co_return std::move(found.text);
}

Task<> AppService::leave() {
    if (impl_->engine) co_await impl_->engine->leave();
}

// Where the host is not this app's alone but the platform's, the path or the key must say that the
// request is for this app; dev is what such a request means unless it names prod. Any other host is
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
        head.method == "POST" && below(impl_->own_path(head), kRuntime) == data::kMigratePath;
    if (foreign_env || changes_tables) return http::Claim::hand_off;
    if (own_host || below_preview(head.path, impl_->settings.project) ||
        is_hook_of(head.path, impl_->settings.project))
        return http::Claim::serve;
    const bool ours = below(head.path, kRuntime) && impl_->keys.find(identity::bearer(head));
    return ours ? http::Claim::serve : http::Claim::hand_off;
}

std::size_t AppService::body_limit(const http::Head& head) {
    const auto path = runtime_path(impl_->own_path(head));
    const route::Endpoint* endpoint =
        path ? impl_->router.match(head.method, *path).endpoint : nullptr;
    return endpoint ? endpoint->body_limit : route::kUsualBody;
}

void AppService::hand_off(http::Connection connection) { impl_->hand_off(std::move(connection)); }

Task<> AppService::handle(http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    const std::string_view path = impl_->own_path(head);
    const auto runtime = runtime_path(path);
    if (runtime && head.method == "OPTIONS")
        ops::answer_preflight(exchange, impl_->keys);
    else if (runtime)
        co_await impl_->answer_seen(exchange, *runtime);
    else if (path == "/healthz" || path == "/readyz")
        co_await impl_->answer_probe(exchange, path);
    else if (holds_slash(head))
        identity::refuse(exchange.reply(), slash_refused());
    else
        identity::refuse(exchange.reply(),
                         refusal(Code::not_found, "This address has no page or route."));
}

Task<> AppService::Impl::answer_probe(http::Exchange& exchange, std::string_view path) {
    const route::Endpoint probe{.path = path, .entry = Entry::open};
    if (const Done fit = check_query(exchange, probe); !fit)
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
        identity::refuse(
            exchange.reply(),
            refusal(Code::unavailable, "The database cannot be reached right now. Try again."));
}

Task<> AppService::Impl::answer_seen(http::Exchange& exchange, std::string_view path) {
    const std::int64_t began_at = ops::RequestRing::now();
    co_await answer_runtime(exchange, path);
    seen.add(exchange.head().method, path, exchange.reply().status, began_at);
    shared->answered(exchange.reply().status);
    if (!identity::changes_state(exchange.head())) co_return;
    shared->bell.ring();
    shared->work.ring();
    shared->mails.ring();
}

Task<> AppService::Impl::answer_runtime(http::Exchange& exchange, std::string_view path) {
    std::shared_ptr<const AppKey> key;
    const bool continues = handover.continues(exchange.head());
    const Done done = co_await route(exchange, path, key);
    if (continues) co_return go_on(exchange.reply());
    if (!done) identity::refuse(exchange.reply(), done.error());
    // A refused key speaks for its own origins too; what others are bound to is not its business.
    if (!key) key = keys.find(identity::bearer(exchange.head()));
    ops::answer_origin(exchange, keys, key.get());
}

// A stream that another process began: it goes on, or it ends. Nothing else can be told to its
// client.
void AppService::Impl::go_on(http::Reply& reply) {
    reply.headless = true;
    if (!reply.follow) reply.follow = [](std::unique_ptr<http::Stream>) {};
}

// `key` is set once the request was admitted.
Task<Done> AppService::Impl::route(http::Exchange& exchange, std::string_view path,
                                   std::shared_ptr<const AppKey>& key) {
    const http::Head& head = exchange.head();
    const route::Router::Match match = router.match(head.method, path);
    const bool slashes = holds_slash(head);
    if (slashes && !(match.endpoint && match.endpoint->slashes)) co_return slash_refused();
    const Entry entry = match.endpoint ? match.endpoint->entry
                        : match.data   ? Entry::data
                                       : Entry::open;
    if (entry != Entry::open) {
        const bool marked = entry == Entry::data;
        auto admitted =
            gate.enter(head, marked ? identity::Marker::needed : identity::Marker::not_needed,
                       !handover.continues(head));
        if (!admitted) co_return admitted.error();
        key = std::move(*admitted);
    }
    if (!match.endpoint) co_return no_route(exchange, match.allow);
    const Done fit = check_query(exchange, *match.endpoint);
    if (!fit) co_return fit.error();
    route::Request request{exchange, key, match.id};
    std::string id;
    if (slashes) request.id = id = with_slashes(match.id);
    co_return co_await match.endpoint->handler(request);
}

std::vector<route::Endpoint> AppService::Impl::endpoints() {
    std::vector<route::Endpoint> all = data::routes(data_services);
    std::ranges::move(auth::routes(accounts), std::back_inserter(all));
    std::ranges::move(feed::routes(publishing, subscribing), std::back_inserter(all));
    std::ranges::move(hook::routes(receiving, accounts), std::back_inserter(all));
    std::ranges::move(notice::routes(noticing), std::back_inserter(all));
    std::ranges::move(run::routes(running), std::back_inserter(all));
    const auto answer = [this](route::Request& request) { return answer_document(request); };
    all.push_back({Method::get, kDocument, Entry::data, answer});
    return all;
}

// The same for whoever has the key; an app session that has ended is told so, as elsewhere.
Task<Done> AppService::Impl::answer_document(route::Request& request) {
    const auto caller = co_await data_services.callers.identify(request);
    if (!caller) co_return caller.error();
    document.answer(request.exchange);
    co_return Done();
}

Task<std::string> AppService::Impl::place_now(const Caller& caller) {
    const std::string cursor = co_await feed::read_cursor(system);
    if (cursor.empty()) co_return cursor;
    co_return places.seal(cursor) + feed::mark_of(caller, app.contract);
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
