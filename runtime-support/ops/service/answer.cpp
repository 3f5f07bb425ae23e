// The way of a request: from its head to its reply.
#include <algorithm>

#include "http/request/params.hpp"
#include "http/request/path.hpp"
#include "http/request/proxy.hpp"
#include "http/stream.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "ops/cors.hpp"
#include "ops/service/impl.hpp"
#include "ops/service/paths.hpp"

namespace svc::ops {
namespace {

using identity::Marker;
using identity::refusal;
using route::Done;
using route::Entry;

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

// Answers a stream that another process began: it continues or it ends. Its client can get no other
// answer.
void go_on(http::Reply& reply) {
    reply.headless = true;
    if (!reply.follow) reply.follow = [](std::unique_ptr<http::Stream>) {};
}

}  // namespace

bool AppService::credentials_in_query(const http::Head& head) {
    if (head.query.empty()) return false;
    const auto path = ops::runtime_path(impl_->own_path(head), impl_->router);
    return path && impl_->router.credentials_in_query(*path);
}

std::size_t AppService::body_limit(const http::Head& head) {
    const auto path = ops::runtime_path(impl_->own_path(head), impl_->router);
    const route::Endpoint* endpoint =
        path ? impl_->router.match(head.method, *path).endpoint : nullptr;
    if (!path && impl_->pages) return page::body_limit(impl_->app, head);
    return endpoint ? endpoint->body_limit : route::kUsualBody;
}

bool AppService::streams_body(const http::Head& head) {
    const auto path = ops::runtime_path(impl_->own_path(head), impl_->router);
    if (!path) return impl_->pages && page::streams_body(head);
    const route::Endpoint* endpoint = impl_->router.match(head.method, *path).endpoint;
    return endpoint && endpoint->streams;
}

void AppService::Impl::answer_options(http::Exchange& exchange, std::string_view path) const {
    ops::answer_preflight(exchange, keys);
    if (const auto* endpoint = router.match(exchange.head().method, path).options)
        endpoint->options(exchange.reply());
}

Task<> AppService::handle(http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    const std::string_view path = impl_->own_path(head);
    const auto runtime = ops::runtime_path(path, impl_->router);
    if (runtime && head.method == "OPTIONS")
        impl_->answer_options(exchange, *runtime);
    else if (runtime)
        co_await impl_->answer_seen(exchange, *runtime);
    else if (path == "/healthz" || path == "/readyz")
        co_await impl_->answer_probe(exchange, path);
    else if (holds_slash(head))
        identity::refuse(exchange.reply(), slash_refused());
    else
        co_await impl_->answer_page(exchange, path);
}

// Pages are served only on the app's own host: on a shared host a page could read other apps' data
// in the browser.
Task<> AppService::Impl::answer_page(http::Exchange& exchange, std::string_view path) {
    const http::Head& head = exchange.head();
    const bool by_preview = path.size() != head.path.size();
    if (by_preview && !settings.origin.empty()) {
        http::Reply& reply = exchange.reply();
        reply.status = 303;
        reply.header("Cache-Control", "no-store");
        std::string place = settings.origin + (path.empty() ? "/" : std::string(path));
        if (!head.query.empty()) place += '?' + std::string(head.query);
        reply.header("Location", place);
        co_return;
    }
    if (!pages || by_preview || !(own_host(head.host) || settings.hosts.empty())) {
        identity::refuse(exchange.reply(),
                         refusal(Code::not_found, "This address has no page or route."));
        co_return;
    }
    const std::int64_t began_at = ops::RequestRing::now();
    co_await pages->answer(exchange);
    seen.add(head.method, path, exchange.reply().status, began_at);
    shared->answered(exchange.reply().status);
    if (!identity::changes_state(head)) co_return;
    shared->changes.notify();
    shared->work.notify();
    shared->mails.notify();
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
        identity::refuse(exchange.reply(), identity::unreachable());
}

Task<> AppService::Impl::answer_seen(http::Exchange& exchange, std::string_view path) {
    const std::int64_t began_at = ops::RequestRing::now();
    co_await answer_runtime(exchange, path);
    seen.add(exchange.head().method, path, exchange.reply().status, began_at);
    shared->answered(exchange.reply().status);
    if (!identity::changes_state(exchange.head())) co_return;
    shared->changes.notify();
    shared->work.notify();
    shared->mails.notify();
}

Task<> AppService::Impl::answer_runtime(http::Exchange& exchange, std::string_view path) {
    std::shared_ptr<const AppKey> key;
    const bool continues = handover.continues(exchange.head());
    const Done done = co_await route(exchange, path, key);
    if (continues) co_return go_on(exchange.reply());
    if (!done) identity::refuse(exchange.reply(), done.error());
    // A refused key answers with its own origins too; origins of other keys do not apply.
    if (!key) key = keys.find(identity::bearer(exchange.head()));
    ops::answer_origin(exchange, keys, key.get());
}

identity::Result<std::shared_ptr<const AppKey>> AppService::Impl::admit(
    const http::Exchange& exchange, Entry entry) {
    if (entry == Entry::open) return std::shared_ptr<const AppKey>();
    const http::Head& head = exchange.head();
    const Marker marker = entry == Entry::data ? Marker::needed : Marker::not_needed;
    const bool counted = !handover.continues(head);
    const bool keyless = scripts_key && identity::bearer(head).empty();
    auto key = gate.enter(head, marker, counted && !keyless);
    if (!key || !counted || !keyless) return key;
    // No key identifies the caller, so each address has a share, as for pages themselves. An
    // address that has used its share takes nothing from the common budget.
    const unsigned wait =
        shared->visitors.take(http::counted_network(exchange.remote()), identity::Clock::now());
    if (wait == 0) return gate.enter(head, marker, true);
    identity::Refusal full =
        refusal(Code::rate_limited, "All requests of this minute are used up. Wait and try again.");
    full.retry_after = wait;
    return full;
}

Task<Done> AppService::Impl::route(http::Exchange& exchange, std::string_view path,
                                   std::shared_ptr<const AppKey>& key) {
    const http::Head& head = exchange.head();
    const route::Router::Match match = router.match(head.method, path);
    const bool slashes = holds_slash(head);
    if (slashes && !(match.endpoint && match.endpoint->slashes)) co_return slash_refused();
    const Entry entry = match.endpoint ? match.endpoint->entry
                        : match.data   ? Entry::data
                                       : Entry::open;
    auto admitted = admit(exchange, entry);
    if (!admitted) co_return admitted.error();
    key = std::move(*admitted);
    if (!match.endpoint) co_return no_route(exchange, match.allow);
    const Done fit = check_query(exchange, *match.endpoint);
    if (!fit) co_return fit.error();
    route::Request request{exchange, key, match.id};
    std::string id;
    if (slashes) request.id = id = with_slashes(match.id);
    co_return co_await match.endpoint->handler(request);
}

}  // namespace svc::ops
