#include "feed/stream/subscribe.hpp"

#include <algorithm>
#include <iterator>

#include "feed/stream/requested_topics.hpp"
#include "feed/stream/subscribe_rows.hpp"
#include "http/request/proxy.hpp"
#include "identity/key/gate.hpp"

namespace svc::feed {
namespace {

using route::Done;
using route::Handled;
using route::Request;

constexpr unsigned kRetry = 5;  // seconds
// Shares of the streams that a browser key may have: one user, or the guests of one address, may
// have 1/kShare of them. All users and guests of one address together may have 1/kAddressShare.
constexpr std::size_t kShare = 4, kAddressShare = 2;

// A limit, and how its refusal begins and ends.
struct Limited {
    Hubs::Counted counted;
    std::string_view who, of;
};

// The limits that a stream counts towards, the widest first. A server has its own key.
std::vector<Limited> limits_for(const Caller& caller, const Request& request, std::size_t most) {
    std::vector<Limited> out{{{caller.key->id, most}, "This key already has ", ""}};
    if (caller.key->kind == KeyKind::server || most == 0) return out;
    const std::string address = http::counted_network(request.exchange.remote());
    const auto share = [&](std::size_t part) { return std::max<std::size_t>(1, most / part); };
    if (caller.user)
        out.push_back(
            {{caller.key->id + ' ' + caller.user->id, share(kShare)}, "You already have ", ""});
    else
        out.push_back({{caller.key->id + " guests " + address, share(kShare)},
                       "You already have ",
                       " for guests of one address"});
    out.push_back({{caller.key->id + ' ' + address, share(kAddressShare)},
                   "Your address already has ",
                   " for one address"});
    return out;
}

std::vector<Hubs::Counted> counted_by(const std::vector<Limited>& limits) {
    std::vector<Hubs::Counted> out;
    out.reserve(limits.size());
    for (const Limited& each : limits) out.push_back(each.counted);
    return out;
}

identity::Refusal full(const Limited& limit) {
    identity::Refusal out = identity::refusal(
        Code::rate_limited, std::string(limit.who) + std::to_string(limit.counted.most) +
                                " open streams, which is the limit" + std::string(limit.of) +
                                ". Close one first.");
    out.retry_after = kRetry;
    return out;
}

identity::Refusal away() {
    identity::Refusal out = identity::unreachable();
    out.retry_after = kRetry;
    return out;
}

// The client's last event id: the header that EventSource sends is newer than the address.
std::string last_id(const http::Head& head) {
    const std::string_view sent = head.header("last-event-id");
    if (!sent.empty()) return std::string(sent);
    return http::query_param(head.query, "lastEventId").value;
}

// Checks that the cached account is still as in the database. The stream set gets every later
// change.
Task<identity::Result<bool>> is_current(const SubscribeContext& in, const Request& request,
                                        const Caller& caller) {
    if (!caller.user) co_return true;
    const auto now = co_await in.callers.identify(request, identity::Cached::no);
    if (!now) co_return now.error();
    co_return now->names == caller.names && now->claims == caller.claims;
}

Task<identity::Result<Handled>> open(const SubscribeContext& in, Request& request,
                                     const Caller& caller, const Asked& asked) {
    const bool waits = may_ask(in.app, caller, asked);
    const std::shared_ptr<StreamSet> stream_set = in.stream_sets.of(waits);
    Subscription what;
    what.caller = caller;
    what.with_topic = asked.with_topic;
    auto parts = enter_topics(in.app, in.hubs->of(waits).audience(), caller, asked);
    if (!parts) co_return parts.error();
    what.parts = std::move(*parts);
    what.mark = mark_of(caller, in.app.visibility);
    const std::vector<Limited> limits = limits_for(caller, request, in.most_streams);
    std::size_t at_limit = 0;
    what.ticket = in.hubs->enter(waits, counted_by(limits), at_limit);
    if (!what.ticket) co_return full(limits[at_limit]);
    what.request = Handover::kept(request.exchange.head());
    const std::string id = last_id(request.exchange.head());
    what.resumes = !id.empty();
    if (what.resumes) what.from = in.cursors.open(id, what.mark);
    const Cursor at = co_await stream_set->sync();
    if (!at) co_return away();
    const std::uint64_t position = stream_set->end();
    const auto current = co_await is_current(in, request, caller);
    if (!current) co_return current.error();
    if (!*current) co_return Handled::session_ended;
    auto listener = std::make_shared<Listener>(std::move(what), in.hubs->counts());
    request.exchange.reply().follow = [stream_set, listener, position,
                                       at](std::unique_ptr<http::Stream> stream) {
        stream_set->begin(listener, std::move(stream), position, at);
    };
    co_return Handled::answered;
}

Task<Handled> answer_as(const SubscribeContext& in, Request& request, const Caller& caller,
                        const Asked& asked) {
    const auto opened = co_await open(in, request, caller, asked);
    if (opened) co_return *opened;
    identity::refuse(request.exchange.reply(), opened.error());
    co_return Handled::answered;
}

Task<Done> subscribe(const SubscribeContext& in, Request& request, Asked asked) {
    const auto act = [&](const Caller& caller) { return answer_as(in, request, caller, asked); };
    co_return co_await route::as_caller(in.callers, request, act);
}

Task<Done> answer_one(const SubscribeContext& in, Request& request) {
    auto asked = one_topic(request.id, request.exchange.head().query);
    if (!asked) co_return asked.error();
    co_return co_await subscribe(in, request, std::move(*asked));
}

Task<Done> answer_several(const SubscribeContext& in, Request& request) {
    auto asked = several_topics(request.exchange.head().query);
    if (!asked) co_return asked.error();
    co_return co_await subscribe(in, request, std::move(*asked));
}

}  // namespace

void add_subscribe_routes(const SubscribeContext& in, std::vector<route::Endpoint>& endpoints) {
    std::vector<route::Endpoint> rows = subscribe_rows();
    rows[0].handler = [&in](Request& request) { return answer_one(in, request); };
    rows[1].handler = [&in](Request& request) { return answer_several(in, request); };
    std::ranges::move(rows, std::back_inserter(endpoints));
}

}  // namespace svc::feed
