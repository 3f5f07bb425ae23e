#include <algorithm>
#include <set>

#include "base/append.hpp"
#include "contract/reader.hpp"
#include "model/flow/flow_work.hpp"
#include "model/flow/topic_name.hpp"

namespace svc::model {
namespace {

void step_ids(const std::vector<contract::Step>& steps, std::vector<std::string>& out) {
    for (const contract::Step& step : steps) {
        out.push_back(step.id.text);
        for (const auto& [name, branch] : step.cases) step_ids(branch, out);
        step_ids(step.otherwise, out);
    }
}

void called_functions(const std::vector<contract::Step>& steps, std::vector<std::string>& out) {
    for (const contract::Step& step : steps) {
        const contract::Value* name = step.body.find("function");
        if (step.action == "call" && name != nullptr) out.push_back(name->text);
        for (const auto& [value, branch] : step.cases) called_functions(branch, out);
        called_functions(step.otherwise, out);
    }
}

void unused_params(FlowWork& flow, const std::vector<Field>& params) {
    const auto used = [&](const std::string& name) {
        return std::find(flow.used.begin(), flow.used.end(), name) != flow.used.end();
    };
    for (const Field& param : params) {
        if (used(param.name) || used("") || flow.work.findings.has_errors()) continue;
        flow.work.findings.warning("UNUSED_PARAM", param.path,
                                   "The parameter \"" + param.name + "\" is never used.",
                                   "use it as {input." + param.name + "}, or remove it");
    }
}

std::vector<FlowMember> members_of(const std::vector<Field>& params) {
    std::vector<FlowMember> out;
    out.reserve(params.size());
    for (const Field& param : params) out.push_back({param.name, type_of(param)});
    return out;
}

class FunctionResolver {
  public:
    explicit FunctionResolver(Work work)
        : work_(work), results_(work.in.flows.functions.size(), FlowType{}) {}

    // Called functions are resolved first, so that their results are known.
    const FunctionResults& run() {
        states_.resize(results_.size(), State::waits);
        for (std::size_t i = 0; i < results_.size(); ++i) visit(i);
        return results_;
    }

  private:
    enum class State { waits, runs, done };

    void visit(std::size_t index) {
        states_[index] = State::runs;
        const contract::Function& in = work_.in.flows.functions[index];
        std::vector<std::string> called;
        called_functions(in.steps, called);
        for (const std::string& name : called) {
            const auto next = find_named(work_.out.flows.functions, name, &Function::name);
            if (!next || states_[*next] == State::done) continue;
            if (states_[*next] == State::waits) {
                visit(*next);
            } else {
                cycle(in, name);
            }
        }
        if (states_[index] == State::done) return;
        resolve(in, work_.out.flows.functions[index], results_[index]);
        states_[index] = State::done;
    }

    void cycle(const contract::Function& from, const std::string& to) {
        if (!cycles_.insert(from.name.text + " " + to).second) return;
        work_.findings.error("FUNCTION_CYCLE", from.path,
                             from.name.text == to
                                 ? "\"" + to + "\" calls itself."
                                 : "\"" + from.name.text + "\" calls \"" + to +
                                       "\", which calls \"" + from.name.text + "\" again.",
                             "move a part into a workflow, or use for");
    }

    void resolve(const contract::Function& in, Function& out, std::optional<FlowType>& result) {
        FlowWork flow(work_, results_);
        flow.function = true;
        flow.names.input = object_of(members_of(out.params));
        step_ids(in.steps, flow.names.all);
        if (in.run_as) out.run_as = read_run_as(flow, *in.run_as);
        flow.run_as = out.run_as;
        out.steps = resolve_steps(flow, in.steps);
        if (in.returns) out.returns = read_value(flow, *in.returns);
        result = result_of(flow, out);
        out.gives = result;
        unused_params(flow, out.params);
    }

    // The type at the one place that returns; JSON if there are several.
    static std::optional<FlowType> result_of(const FlowWork& flow, const Function& function) {
        if (flow.returned.empty() && !function.returns) return std::nullopt;
        if (flow.returned.empty()) return type_of(flow, *function.returns);
        if (flow.returned.size() > 1 || function.returns) return FlowType{};
        return flow.returned.front();
    }

    Work work_;
    FunctionResults results_;
    std::vector<State> states_;
    std::set<std::string> cycles_;
};

void declare_functions(Work work) {
    NameTable names(NameKind::other, work.findings);
    for (const contract::Function& in : work.in.flows.functions) {
        names.add(in.name);
        Function& out = work.out.flows.functions.emplace_back();
        out.name = in.name.text;
        out.path = in.path;
        out.params = resolve_params(work, in.params);
        for (const contract::Text& name : in.allow) {
            if (auto known = resolve_principal(work, name)) out.allow.push_back(std::move(*known));
        }
    }
}

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
        const std::vector<std::string> known = names_of(workflows, &Workflow::id);
        work.findings.missing("UNKNOWN_WORKFLOW", name->text, name->path,
                              "There is no workflow \"" + name->text + "\".",
                              did_you_mean(name->text, known, "there is " + joined(known)));
    }
}

std::vector<FlowMember> topic_members(const std::string& topic) {
    std::vector<FlowMember> out;
    for (const std::string& part : parts_of(topic)) out.push_back({part, scalar(ExprType::text)});
    base::append(out, {{"topic", scalar(ExprType::text)}, {"payload", {}}});
    return out;
}

FlowType user_type() {
    return object_of({{"id", scalar(ExprType::uuid)},
                      {"email", scalar(ExprType::text)},
                      {"name", scalar(ExprType::text)},
                      {"role", scalar(ExprType::text)}});
}

FlowType payment_type() {
    return object_of({{"id", scalar(ExprType::uuid)},
                      {"method", scalar(ExprType::text)},
                      {"status", scalar(ExprType::text)},
                      {"amount_cents", scalar(ExprType::integer)},
                      {"currency", scalar(ExprType::text)}});
}

FlowType failure_type() {
    return object_of({{"run", scalar(ExprType::uuid)},
                      {"workflow", scalar(ExprType::text)},
                      {"error", scalar(ExprType::text)},
                      {"code", scalar(ExprType::text)},
                      {"path", scalar(ExprType::text)}});
}

// What the trigger adds to the parameters of a workflow.
std::vector<FlowMember> members_by(const Trigger& on) {
    switch (on.kind) {
        case Trigger::Kind::topic:
            return topic_members(on.topic);
        case Trigger::Kind::auth:
            return {{"user", user_type()}};
        case Trigger::Kind::payment:
            return {{"payment", payment_type()}};
        case Trigger::Kind::cron:
        case Trigger::Kind::every:
            return {{"at", scalar(ExprType::timestamp)}};
        default:
            return {};
    }
}

// The type of `input`, by the trigger of the workflow.
FlowType input_of(Work work, std::size_t index) {
    const Workflow& workflow = work.out.flows.workflows[index];
    if (workflow.on.kind == Trigger::Kind::failed) return failure_type();
    const auto& hooks = work.out.flows.webhooks_in;
    const bool hooked = workflow.on.kind == Trigger::Kind::webhook ||
                        std::any_of(hooks.begin(), hooks.end(),
                                    [&](const WebhookIn& hook) { return hook.run == index; });
    std::vector<FlowMember> members = members_of(workflow.params);
    if (hooked) base::append(members, {{"body", {}}, {"headers", {}}});
    base::append(members, members_by(workflow.on));
    const bool anything = workflow.on.kind == Trigger::Kind::manual && members.empty();
    return anything ? FlowType{} : object_of(std::move(members));
}

void scope_of(const Trigger& on, FlowWork& flow) {
    using Kind = Trigger::Kind;
    const bool row =
        on.kind == Kind::event || on.kind == Kind::transition || on.kind == Kind::payment;
    const bool event = on.kind == Kind::event;
    flow.scope.entity = on.entity;
    flow.scope.has_new = row && !(event && on.event == RowEvent::deleted);
    flow.scope.has_old =
        row && on.kind != Kind::payment && !(event && on.event == RowEvent::created);
    if (on.broken) {  // the mistake is reported already
        flow.scope.has_new = flow.scope.has_old = false;
        flow.names.locals.push_back({"new", {}});
        flow.names.locals.push_back({"old", {}});
    }
    flow.names.actor = on.kind != Kind::cron && on.kind != Kind::every &&
                       on.kind != Kind::webhook && on.kind != Kind::failed;
}

void catch_up(FlowWork& flow, const contract::Workflow& in, Workflow& out) {
    if (!in.catch_up) return;
    out.catch_up = in.catch_up->text;
    if (out.on.kind == Trigger::Kind::cron || out.on.kind == Trigger::Kind::every) return;
    flow.work.findings.error("BAD_TRIGGER", contract::name_of(in.catch_up->path),
                             "\"catchUp\" is about cron and every, which start nothing here.",
                             "take it out");
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
    flow.names.input = input_of(work, index);
    step_ids(in.steps, flow.names.all);
    scope_of(out.on, flow);
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
        contract::Field field;
        field.name = param.name;
        field.type = param.type;
        field.default_value = param.default_value;
        field.required = param.required;
        field.path = param.path;
        if (param.required && param.default_value) {
            work.findings.error(
                "BAD_OPTION", param.default_value->path,
                "\"" + param.name.text + "\" is required, so its default is never used.",
                "remove one of the two");
        }
        resolve_field(work, field, out.emplace_back());
    }
    return out;
}

void resolve_flows(Work work) {
    declare_functions(work);
    declare_workflows(work);
    resolve_failed(work);
    resolve_webhooks(work);
    resolve_topics(work);
    FunctionResolver functions(work);
    const FunctionResults& results = functions.run();
    for (std::size_t i = 0; i < work.in.flows.workflows.size(); ++i) {
        resolve_workflow(work, i, results);
    }
}

}  // namespace svc::model
