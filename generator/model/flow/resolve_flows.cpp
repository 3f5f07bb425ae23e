// Functions and workflows of a contract, resolved.
#include "contract/read/reader.hpp"
#include "model/flow/flow_work.hpp"

namespace svc::model {
namespace {

void declare_workflows(Work work) {
    NameTable hooks(NameKind::other, work.findings), names(NameKind::other, work.findings);
    for (const contract::WebhookIn& in : work.in.flows.webhooks_in) {
        hooks.add(in.name);
        WebhookIn& out = work.out.flows.webhooks_in.emplace_back();
        out.name = in.name.text;
        out.path = in.path;
    }
    for (const contract::Workflow& in : work.in.flows.workflows) {
        names.add(in.id);
        Workflow& out = work.out.flows.workflows.emplace_back();
        out.id = in.id.text;
        out.path = in.path;
        out.params = resolve_params(work, in.params);
        resolve_trigger(work, in, out);
    }
}

void resolve_failed(Work work) {
    const auto& workflows = work.out.flows.workflows;
    for (std::size_t i = 0; i < workflows.size(); ++i) {
        const std::optional<contract::Text>& name = work.in.flows.workflows[i].on.failed;
        if (!name) continue;
        Trigger& on = work.out.flows.workflows[i].on;
        if (const auto found = find_named(workflows, name->text, &Workflow::id)) {
            on.failed = *found;
            if (*found != i) continue;
            work.findings.error("BAD_TRIGGER", name->path,
                                "\"" + name->text + "\" waits for its own failure.",
                                "name another workflow");
            continue;
        }
        unknown_workflow(work, *name);
    }
}

void catch_up(FlowWork& flow, const contract::Workflow& in, Workflow& out) {
    if (!in.catch_up) return;
    out.catch_up = in.catch_up->text;
    if (out.on.kind == Trigger::Kind::cron || out.on.kind == Trigger::Kind::every) return;
    flow.work.findings.error(
        "BAD_TRIGGER", contract::name_of(in.catch_up->path),
        "\"catchUp\" needs a cron or every trigger, and this workflow has none.", "remove it");
}

void limits(FlowWork& flow, const contract::Workflow& in, Workflow& out) {
    if (in.retry) out.retry = read_retry(flow.work, *in.retry);
    if (in.timeout) out.timeout = read_seconds(flow.work, *in.timeout);
    if (in.key) out.key = read_said(flow, *in.key, "key");
    if (in.key_for) out.key_for = read_seconds(flow.work, *in.key_for);
    if (in.overflow) out.overflow = in.overflow->text;
    catch_up(flow, in, out);
    if (in.concurrency_key) out.concurrency_key = read_said(flow, *in.concurrency_key, "key");
    if (in.concurrency_limit) {
        out.concurrency_limit = read_count(flow.work, *in.concurrency_limit, "limit", 1, 1000);
    }
}

void resolve_workflow(Work work, std::size_t index, const FunctionResults& results) {
    const contract::Workflow& in = work.in.flows.workflows[index];
    Workflow& out = work.out.flows.workflows[index];
    FlowWork flow(work, results);
    step_ids(in.steps, flow.names.all);
    name_by_trigger(flow, index);
    if (in.condition) out.condition = read_condition(*in.condition, flow.scope, work.findings);
    limits(flow, in, out);
    if (in.run_as) out.run_as = read_run_as(flow, *in.run_as);
    flow.run_as = out.run_as;
    out.steps = resolve_steps(flow, in.steps);
    unused_params(flow, out.params);
}

}  // namespace

std::vector<Field> resolve_params(Work work, const std::vector<contract::Param>& in) {
    std::vector<Field> out;
    for (const contract::Param& param : in) {
        resolve_field(work, as_field(work, param), out.emplace_back());
    }
    return out;
}

void unknown_workflow(Work work, const contract::Text& name) {
    const std::vector<std::string> known = names_of(work.out.flows.workflows, &Workflow::id);
    work.findings.missing("UNKNOWN_WORKFLOW", name.text, name.path,
                          "There is no workflow \"" + name.text + "\".",
                          did_you_mean(name.text, known,
                                       known.empty() ? "add it to \"workflows\""
                                                     : "the workflows are " + joined(known)));
}

void resolve_flows(Work work) {
    declare_functions(work);
    declare_workflows(work);
    resolve_failed(work);
    resolve_webhooks(work);
    resolve_topics(work);
    const FunctionResults results = resolve_functions(work);
    for (std::size_t i = 0; i < work.in.flows.workflows.size(); ++i) {
        resolve_workflow(work, i, results);
    }
}

}  // namespace svc::model
