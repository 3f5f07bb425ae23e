// Resolves the trigger of a workflow.
#include <algorithm>

#include "base/time/cron.hpp"
#include "model/flow/flow_work.hpp"

namespace svc::model {
namespace {

using On = Trigger::Kind;

void bad_trigger(Work work, const std::string& path, const std::string& message,
                 const std::string& fix) {
    work.findings.error("BAD_TRIGGER", path, message, fix);
}

void fields(Work work, const contract::Trigger& in, Trigger& out) {
    if (!in.fields) return;
    if (out.event != RowEvent::updated) {
        bad_trigger(work, contract::child(in.path, "fields"),
                    "\"fields\" has an effect on the event updated only.", "remove it");
        return;
    }
    if (in.fields->empty() && !work.findings.doubts(contract::child(in.path, "fields"))) {
        bad_trigger(work, contract::child(in.path, "fields"), "\"fields\" is empty.",
                    "name fields, or remove \"fields\": then every change counts");
    }
    for (const contract::Text& name : distinct(work, *in.fields)) {
        if (const auto field = resolve_own_field(work, out.entity, name)) {
            out.fields.push_back(*field);
        }
    }
}

void row_event(Work work, const contract::Trigger& in, Trigger& out) {
    out.kind = in.transition ? On::transition : On::event;
    if (in.event) out.event = base::read_word<RowEvent>(in.event->text).value_or(out.event);
    const auto entity = resolve_entity(work, *in.entity);
    if (!entity) {
        out.broken = true;
        return;
    }
    out.entity = *entity;
    fields(work, in, out);
    if (!in.transition) return;
    out.transition = find_transition(work, *entity, *in.transition).value_or(0);
}

void clock(Work work, const contract::Trigger& in, Trigger& out) {
    if (in.every) {
        out.kind = On::every;
        out.every = read_seconds(work, *in.every);
        return;
    }
    out.kind = On::cron;
    out.cron = in.cron->text;
    out.tz = in.tz ? in.tz->text : work.out.app.timezone;
    if (const std::string problem = base::cron_problem(out.cron); !problem.empty()) {
        work.findings.error(
            "BAD_CRON", in.cron->path, problem,
            "write minute, hour, day of month, month, day of week: \"0 9 * * 1-5\"");
    }
    if (in.tz && !is_time_zone(out.tz)) {
        work.findings.error("UNKNOWN_TIMEZONE", in.tz->path,
                            "There is no time zone \"" + out.tz + "\".",
                            "use an IANA name like Europe/Paris or UTC");
    }
}

void webhook(Work work, const contract::Text& name, Trigger& out) {
    out.kind = On::webhook;
    const auto& hooks = work.out.flows.webhooks_in;
    if (const auto found = find_named(hooks, name.text, &WebhookIn::name)) {
        out.webhook = *found;
        return;
    }
    const std::vector<std::string> known = names_of(hooks, &WebhookIn::name);
    work.findings.missing("UNKNOWN_WEBHOOK", name.text, name.path,
                          "There is no incoming webhook \"" + name.text + "\".",
                          did_you_mean(name.text, known,
                                       known.empty() ? "add it to \"webhooks\".\"in\""
                                                     : "the webhooks are " + joined(known)));
}

void payment(Work work, const contract::Text& name, Trigger& out) {
    out.kind = On::payment;
    out.paid = name.text == "paid";
    if (work.out.payments) {
        out.entity = work.out.payments->order;
        return;
    }
    out.broken = true;
    if (work.in.services.payments || work.findings.doubts("payments")) return;
    bad_trigger(work, name.path, "This app has no payments.", "add a \"payments\" block");
}

void manual(Work work, const contract::Value& value, Trigger& out) {
    out.kind = On::manual;
    if (value.text == "true") return;
    bad_trigger(work, value.path, "\"manual\" can only be true.",
                "write \"manual\": true, or use another trigger");
}

// Only a caller of the workflow sends parameters.
void check_params(Work work, const contract::Workflow& in, const Trigger& on) {
    if (in.params.empty() || on.kind == On::manual) return;
    if (!is_callable(on)) {
        bad_trigger(work, contract::child(in.path, "params"),
                    "The trigger of this workflow sends no parameters.",
                    "remove \"params\", or start this workflow from another one with call");
        return;
    }
    for (const contract::Param& param : in.params) {
        if (!param.required) continue;
        bad_trigger(
            work, param.path,
            "A scheduled run cannot send the required parameter \"" + param.name.text + "\".",
            "make the parameter optional, or give it a default");
    }
}

}  // namespace

bool is_callable(const Trigger& on) {
    return on.kind == On::manual || on.kind == On::cron || on.kind == On::every;
}

void resolve_trigger(Work work, const contract::Workflow& workflow, Workflow& out) {
    const contract::Trigger& in = workflow.on;
    Trigger& on = out.on;
    if (in.entity) row_event(work, in, on);
    if (in.cron || in.every) clock(work, in, on);
    if (in.webhook) webhook(work, *in.webhook, on);
    if (in.payment) payment(work, *in.payment, on);
    if (in.manual) manual(work, *in.manual, on);
    if (in.topic) {
        on.kind = On::topic;
        on.topic = in.topic->text;
        check_topic_name(work, *in.topic);
    }
    if (in.failed) on.kind = On::failed;
    if (in.auth) {
        on.kind = On::auth;
        on.signup = in.auth->text == "signup";
    }
    check_params(work, workflow, on);
}

}  // namespace svc::model
