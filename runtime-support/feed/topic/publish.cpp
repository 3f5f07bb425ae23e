#include "feed/topic/publish.hpp"

#include "data/db_error.hpp"
#include "data/write/idempotency.hpp"
#include "feed/messages.hpp"
#include "feed/topic/publish_body.hpp"
#include "feed/topic/topic_name.hpp"
#include "feed/viewer.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "identity/key/gate.hpp"

namespace svc::feed {
namespace {

using route::Done;
using route::Handled;
using route::Request;

constexpr std::string_view kPublish = "select svc.publish($1::text, $2::json)";
constexpr unsigned kWeight = 8;  // of a write
constexpr Entity kNoEntity{};

Handled refuse(http::Exchange& exchange, const Error& error) {
    http::fail(exchange.reply(), error);
    return Handled::answered;
}

// Messages to those who listen to a table come from servers alone.
bool by_server(const Request& request) {
    return request.key->kind == KeyKind::server &&
           identity::shown_session(request.exchange.head()).token.empty();
}

Task<Handled> write(const PublishContext& in, Request& request, const Caller& caller,
                    std::string_view payload) {
    http::Exchange& exchange = request.exchange;
    const auto key = data::write::read_idempotency_key(exchange, caller);
    if (!key) co_return refuse(exchange, key.error());
    const db::Param params[] = {request.id, payload};
    db::Command command = identity::command("svc_publish", kPublish, params);
    command.weight = kWeight;
    const data::write::WriteContext writing{exchange, caller, in.pool, *key};
    const data::write::Finish finish = [&exchange](std::size_t) {
        exchange.reply().body = R"({"ok":true})";
    };
    const db::Outcome outcome = co_await data::write::commit(writing, {&command, 1}, finish);
    if (data::session_ended(outcome)) {
        exchange.reply().clear();
        co_return Handled::session_ended;
    }
    if (!outcome.ok) co_return refuse(exchange, data::to_error(outcome, kNoEntity));
    Counts::add(in.counts.published);
    in.changes.notify();
    co_return Handled::answered;
}

Task<Handled> publish_as(const PublishContext& in, Request& request, const Caller& caller) {
    if (!may_publish(find_topic(in.app.topics, request.id), viewer_of(caller)))
        co_return refuse(request.exchange,
                         {Code::topic_publish_forbidden, "You may not publish to this topic."});
    const auto payload = read_payload(request.exchange.body());
    if (!payload) co_return refuse(request.exchange, payload.error());
    const Handled handled = co_await write(in, request, caller, *payload);
    co_return handled;
}

Task<Done> answer(const PublishContext& in, Request& request) {
    if (!is_topic(request.id)) co_return identity::refusal(Code::topic_invalid, kBadTopicName);
    if (kind_of(request.id) == TopicKind::row_changed && !by_server(request))
        co_return identity::refusal(Code::topic_publish_forbidden,
                                    "Only a server key may publish to row-changed topics.");
    if (is_internal(request.id) || is_notifications(request.id))
        co_return identity::refusal(Code::topic_publish_forbidden,
                                    "Topics that begin with svc: or app:notifications: are "
                                    "reserved for the servers.");
    const auto act = [&](const Caller& caller) { return publish_as(in, request, caller); };
    co_return co_await route::as_caller(in.callers, request, act);
}

}  // namespace

route::Endpoint publish_route(const PublishContext& in) {
    return {.method = Method::post,
            .path = "/topics/<id>/publish",
            .entry = route::Entry::data,
            .handler = [&in](Request& request) { return answer(in, request); }};
}

}  // namespace svc::feed
