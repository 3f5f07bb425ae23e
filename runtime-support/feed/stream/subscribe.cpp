#include "feed/stream/subscribe.hpp"

#include <algorithm>

#include "feed/stream/asked_topics.hpp"
#include "http/proxy.hpp"
#include "identity/gate.hpp"

namespace svc::feed {
namespace {

using route::Done;
using route::Request;

constexpr unsigned kRetry = 5;  // seconds
// Of the streams of a key that everybody has, one user, or the guests of one address, may have no
// more than this part.
constexpr std::size_t kShare = 4;

// The party that is counted apart from others with the same key; empty: none. A server has a key of
// its own.
std::string party_of(const Caller& caller, const Request& request) {
    if (caller.key->kind == KeyKind::server) return {};
    if (caller.user) return caller.user->id;
    return http::counted_network(request.exchange.remote());
}

std::vector<Hubs::Counted> counted_for(const Caller& caller, const Request& request,
                                       std::size_t most) {
    std::vector<Hubs::Counted> out{{caller.key->id, most}};
    const std::string party = party_of(caller, request);
    if (!party.empty() && most > 0)
        out.push_back({caller.key->id + ' ' + party, std::max<std::size_t>(1, most / kShare)});
    return out;
}

identity::Refusal full(const Hubs::Counted& counted, const Caller& caller) {
    const bool of_key = counted.what == caller.key->id;
    identity::Refusal out = identity::refusal(
        Code::rate_limited, (of_key ? "This key already has " : "You already have ") +
                                std::to_string(counted.most) + " open streams, which is the limit" +
                                (of_key || caller.user ? "" : " for guests of one address") +
                                ". Close one first.");
    out.retry_after = kRetry;
    return out;
}

identity::Refusal away() {
    identity::Refusal out = identity::refusal(
        Code::unavailable, "The database cannot be reached right now. Try again.");
    out.retry_after = kRetry;
    return out;
}

// The client's last event id: the header that EventSource sends is newer than the address.
std::string last_id(const http::Head& head) {
    const std::string_view sent = head.header("last-event-id");
    if (!sent.empty()) return std::string(sent);
    return http::query_param(head.query, "lastEventId").value;
}

// Is the session still valid in the database? The line learns of everything that ends it later.
Task<bool> still_allowed(const Subscribing& in, const Caller& caller) {
    if (caller.session_hash.empty()) co_return true;
    const auto now = co_await in.callers.identifier.sessions().read_by_hash(caller.session_hash);
    co_return now&&* now && (*now)->names == caller.names && (*now)->claims == caller.claims;
}

Task<Done> open(const Subscribing& in, Request& request, const Caller& caller, Asked asked) {
    const bool waits = may_ask(in.app, caller, asked);
    const std::shared_ptr<Line> line = in.lines.of(waits);
    Subscription what;
    what.caller = caller;
    what.with_topic = asked.with_topic;
    auto parts = enter_topics(in.app, in.hubs->of(waits).audience(), caller, asked);
    if (!parts) co_return parts.error();
    what.parts = std::move(*parts);
    what.mark = mark_of(caller, in.app.contract);
    Hubs::Counted at_limit;
    what.ticket = in.hubs->enter(waits, counted_for(caller, request, in.most_streams), at_limit);
    if (!what.ticket) co_return full(at_limit, caller);
    what.request = Handover::kept(request.exchange.head());
    const std::string id = last_id(request.exchange.head());
    what.resumes = !id.empty();
    if (what.resumes) what.from = in.places.open(id, what.mark);
    const Place at = co_await line->sync();
    if (!at) co_return away();
    const std::uint64_t position = line->end();
    const bool allowed = co_await still_allowed(in, caller);
    if (!allowed)
        co_return identity::refusal(Code::unauthorized,
                                    "The app session has ended. Sign in again.");
    auto listener = std::make_shared<Listener>(std::move(what), in.hubs->counts());
    request.exchange.reply().follow = [line, listener, position,
                                       at](std::unique_ptr<http::Stream> stream) {
        line->begin(listener, std::move(stream), position, at);
    };
    co_return Done();
}

Task<Done> subscribe(const Subscribing& in, Request& request, Asked asked) {
    auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    co_return co_await open(in, request, *caller, std::move(asked));
}

Task<Done> answer_one(const Subscribing& in, Request& request) {
    auto asked = one_topic(request.id, request.exchange.head().query);
    if (!asked) co_return asked.error();
    co_return co_await subscribe(in, request, std::move(*asked));
}

Task<Done> answer_several(const Subscribing& in, Request& request) {
    auto asked = several_topics(request.exchange.head().query);
    if (!asked) co_return asked.error();
    co_return co_await subscribe(in, request, std::move(*asked));
}

constexpr std::string_view kParams[] = {"access_token", "app_session", "lastEventId", "filter"};

}  // namespace

void add_subscribe_routes(const Subscribing& in, std::vector<route::Endpoint>& endpoints) {
    endpoints.push_back({.method = Method::get,
                         .path = "/topics/<id>/subscribe",
                         .entry = route::Entry::key,
                         .handler = [&in](Request& request) { return answer_one(in, request); },
                         .params = kParams});
    // A topic stands there several times; the others are looked at beside them.
    endpoints.push_back({.method = Method::get,
                         .path = "/topics/subscribe",
                         .entry = route::Entry::key,
                         .handler = [&in](Request& request) { return answer_several(in, request); },
                         .foreign_params = true});
}

}  // namespace svc::feed
