// Topics: what there is, and messages that a developer sends. Who listens follows …/tail.
#include "operate/topics.hpp"

#include "calls/environment.hpp"
#include "common/json_slice.hpp"
#include "feed/topic/publish_body.hpp"
#include "feed/topic/topic_name.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kPublishBody = 128 * 1024;

void list_topics(Context& context, const Request& request, Response& response) {
    const auto env = environment_of(request, response);
    if (!env) return;
    const std::string database = database_of(context, request, *env, response);
    if (!database.empty()) response.body = topics_json(database);
}

// The payload as one line of JSON. If it is missing, the field is noted.
std::string payload_of(const Request& request, Fields& fields) {
    const auto sent = json_member(request.body, "payload");
    const auto payload =
        feed::read_payload("{\"payload\":" + std::string(sent.value_or("null")) + '}');
    if (payload) return *payload;
    fields.wrong("payload", payload.error().message);
    return {};
}

void publish_message(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    if (fields.good() && !may_change(request, env, response)) return;
    const std::string topic = request.params.at("topic");
    if (!feed::is_topic(topic))
        fields.wrong("topic", "Must have 1 to 200 characters: letters, digits and _ : . -");
    if (feed::is_internal(topic))
        fields.wrong("topic", "Topics that begin with svc: are reserved for the servers.");
    const std::string payload = payload_of(request, fields);
    const bool any = fields.boolean("undeclared").value_or(false);
    if (!fields.good(response)) return;
    const std::string database = database_of(context, request, env, response);
    if (database.empty()) return;
    if (const auto why = any ? std::nullopt : unknown_topic(database, topic))
        return response.refuse(Code::not_found, *why);
    if (!publish(database, topic, payload))
        return response.refuse(
            Code::no_app,
            "This app was built before svc had topics. Apply its contract once more.");
    log::write(log::Level::info, "developer_message",
               {{"project", request.project->id},
                {"env", name(env)},
                {"user", request.caller.user_id},
                {"topic", topic}});
    response.body = "{\"ok\":true}";
}

}  // namespace

void bind_topics(RouteTable& table) {
    Route list{"GET", "/projects/:id/topics", Need::read, Role::viewer, list_topics};
    list.shows = true;
    table.add(list, {"env"});
    table.add({"POST", "/projects/:id/topics/:topic/publish", Need::change, Role::viewer,
               publish_message, kPublishBody});
}

}  // namespace svc::devapi
