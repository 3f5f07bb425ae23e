#include "plan/flow/trigger.hpp"

#include "plan/json_writer.hpp"

namespace svc::plan {
namespace {

using model::Trigger;
using Kind = Trigger::Kind;

std::string event_json(const model::Model& model, const Trigger& on) {
    const model::Entity& entity = model.entities[on.entity];
    std::vector<std::string> fields;
    for (const std::size_t field : on.fields)
        fields.push_back(json_string(entity.fields[field].name));
    return JsonWriter()
        .put_text("kind", "event")
        .put_text("table", entity.name)
        .put_text("event", std::string(base::word(on.event)))
        .put("fields", json_list(fields))
        .str();
}

const std::string& move_name(const model::Model& model, const Trigger& on) {
    return model.entities[on.entity].lifecycle->transitions[on.transition].name;
}

JsonWriter kind(const char* word) {
    JsonWriter out;
    out.put_text("kind", word);
    return out;
}

}  // namespace

std::string trigger_json(const model::Model& model, const model::Workflow& workflow) {
    const Trigger& on = workflow.on;
    switch (on.kind) {
        case Kind::event:
            return event_json(model, on);
        case Kind::transition:
            return kind("transition")
                .put_text("table", model.entities[on.entity].name)
                .put_text("transition", move_name(model, on))
                .str();
        case Kind::cron:
            return kind("cron")
                .put_text("cron", on.cron)
                .put_text("tz", on.tz)
                .put_text("catchUp", workflow.catch_up)
                .str();
        case Kind::every:
            return kind("every")
                .put_number("seconds", on.every)
                .put_text("catchUp", workflow.catch_up)
                .str();
        case Kind::webhook:
            return kind("webhook").put_text("name", model.flows.webhooks_in[on.webhook].name).str();
        case Kind::topic:
            return kind("topic").put_text("pattern", on.topic).str();
        case Kind::auth:
            return kind("auth").put_text("event", on.signup ? "signup" : "login").str();
        case Kind::payment:
            return kind("payment").put_text("event", on.paid ? "paid" : "failed").str();
        case Kind::failed:
            return kind("failed").put_text("workflow", model.flows.workflows[on.failed].id).str();
        case Kind::manual:
            break;
    }
    return kind("manual").str();
}

std::string trigger_words(const model::Model& model, const Trigger& on) {
    switch (on.kind) {
        case Kind::event:
            return "when a row of " + model.entities[on.entity].name + " is " +
                   std::string(base::word(on.event));
        case Kind::transition:
            return "when a row of " + model.entities[on.entity].name + " makes the transition " +
                   move_name(model, on);
        case Kind::cron:
            return "at " + on.cron + " in " + on.tz;
        case Kind::every:
            return "every " + std::to_string(on.every) + " s";
        case Kind::webhook:
            return "when a call comes in at the webhook " +
                   model.flows.webhooks_in[on.webhook].name;
        case Kind::topic:
            return "when a message is published to the topic " + on.topic;
        case Kind::auth:
            return on.signup ? "when somebody signs up" : "when somebody signs in";
        case Kind::payment:
            return on.paid ? "when an order is paid" : "when a payment failed";
        case Kind::failed:
            return "when a run of " + model.flows.workflows[on.failed].id + " could not go on";
        case Kind::manual:
            break;
    }
    return "by hand, or by a call";
}

}  // namespace svc::plan
