// Webhooks in and out.
#include <algorithm>

#include "base/ascii.hpp"
#include "contract/shape/shape.hpp"
#include "model/flow/flow_work.hpp"
#include "model/urls.hpp"

namespace svc::model {
namespace {

// event.id: names with points between them.
bool is_member_path(const std::string& text) {
    bool begins = true;
    for (const char c : text) {
        const bool word = base::is_alphanumeric(c) || c == '_' || c == '-';
        if (!word && (c != '.' || begins)) return false;
        begins = c == '.';
    }
    return !begins;
}

void bound_twice(Work work, const contract::WebhookIn& hook) {
    for (const contract::Workflow& workflow : work.in.flows.workflows) {
        if (!workflow.on.webhook || workflow.on.webhook->text != hook.name.text) continue;
        work.findings.error("WEBHOOK_BOUND_TWICE", hook.run->path,
                            "\"" + hook.name.text + "\" already starts \"" + workflow.id.text +
                                "\" by the workflow's \"on\".",
                            "remove \"run\" here, or \"on\" in the workflow");
    }
}

// A call has a body and headers, and no parameters: they have their defaults.
void needs_parameter(Work work, const contract::Text& run, const Workflow& workflow) {
    for (const Field& param : workflow.params) {
        if (!param.required) continue;
        work.findings.error("BAD_TRIGGER", run.path,
                            "\"" + run.text + "\" requires the parameter \"" + param.name +
                                "\", and a call of this webhook sends no parameters.",
                            "make the parameter optional, or give it a default");
        return;
    }
}

void run(Work work, const contract::WebhookIn& in, WebhookIn& out) {
    if (!in.run) return;
    bound_twice(work, in);
    const auto& workflows = work.out.flows.workflows;
    out.run = find_named(workflows, in.run->text, &Workflow::id);
    if (!out.run) {
        unknown_workflow(work, *in.run);
    } else if (const Trigger::Kind kind = workflows[*out.run].on.kind;
               kind != Trigger::Kind::manual && kind != Trigger::Kind::webhook) {
        work.findings.error("BAD_TRIGGER", in.run->path,
                            "\"" + in.run->text +
                                "\" uses the row, message or body of its own trigger, so this "
                                "webhook cannot start it.",
                            "give the workflow \"on\": {\"manual\": true}");
    } else {
        needs_parameter(work, *in.run, workflows[*out.run]);
    }
}

// order.created, order.transition.place
std::optional<RowChange> change(Work work, const contract::Text& text) {
    const std::size_t point = text.text.find('.');
    const std::string event = point == std::string::npos ? "" : text.text.substr(point + 1);
    RowChange out;
    const bool move = event.starts_with("transition.");
    const auto named = base::read_word<RowEvent>(event);
    out.event = named.value_or(out.event);
    if (!move && !named) {
        work.findings.error("UNKNOWN_EVENT", text.path, "There is no event \"" + text.text + "\".",
                            "write <entity>.created, updated, deleted or transition.<name>");
        return std::nullopt;
    }
    const auto entity = resolve_entity(work, {text.text.substr(0, point), text.path});
    if (!entity) return std::nullopt;
    out.entity = *entity;
    if (!move) return out;
    out.transition = find_transition(work, *entity, {event.substr(11), text.path});
    return out.transition ? std::optional(out) : std::nullopt;
}

WebhookOut outgoing(Work work, const contract::WebhookOut& in) {
    WebhookOut out;
    out.name = in.name.text;
    out.path = in.path;
    out.url = in.url.text;
    out.secret = in.secret.text.substr(contract::kSecretPrefix.size());
    if (!is_safe_address(out.url)) {
        work.findings.error("BAD_URL", in.url.path, "The server cannot call this address.",
                            "write https://, a host and an optional path, without user and query");
    }
    for (const contract::Text& text : distinct(work, in.on)) {
        if (auto known = change(work, text)) out.on.push_back(*known);
    }
    if (in.on.empty() && !work.findings.doubts(contract::child(in.path, "on"))) {
        work.findings.error("BAD_TRIGGER", contract::child(in.path, "on"),
                            "This webhook has no events.", "add events: \"order.created\"");
    }
    return out;
}

}  // namespace

void resolve_webhooks(Work work) {
    const contract::Flows& in = work.in.flows;
    for (std::size_t i = 0; i < in.webhooks_in.size(); ++i) {
        const contract::WebhookIn& given = in.webhooks_in[i];
        WebhookIn& out = work.out.flows.webhooks_in[i];
        if (given.secret) out.secret = given.secret->text.substr(contract::kSecretPrefix.size());
        if (given.dedupe) out.dedupe = given.dedupe->text;
        if (given.scheme)
            out.scheme = base::read_word<HookScheme>(given.scheme->text).value_or(out.scheme);
        run(work, given, out);
        if (!given.dedupe || is_member_path(out.dedupe)) continue;
        work.findings.error("BAD_OPTION", given.dedupe->path,
                            "\"" + out.dedupe + "\" is not a path in a body.",
                            "write names with dots between them: \"event.id\"");
    }
    NameTable names(NameKind::other, work.findings);
    for (const contract::WebhookOut& given : in.webhooks_out) {
        names.add(given.name);
        work.out.flows.webhooks_out.push_back(outgoing(work, given));
    }
}

}  // namespace svc::model
