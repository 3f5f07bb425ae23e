// Steps that steer: set, switch, sleep, waitFor, call, return, fail.
#include <algorithm>
#include <set>

#include "contract/read/reader.hpp"
#include "contract/shape/shape.hpp"
#include "model/access/personas.hpp"
#include "model/flow/flow_work.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Reader;
using contract::Value;

// Functions are one transaction, so they cannot wait.
void not_in_functions(FlowWork& flow, const contract::Step& step) {
    if (!flow.function) return;
    flow.work.findings.error("STEP_NOT_HERE", contract::name_of(step.body.path),
                             "A function cannot wait, because it is one transaction.",
                             "move the step into a workflow, and start that with call");
}

// Can what decides ever be that?
void check_case(FlowWork& flow, const Expr& on, const contract::Text& name) {
    const std::vector<std::string> values = on.type == ExprType::boolean
                                                ? std::vector<std::string>{"true", "false"}
                                                : known_values(on, flow.work.out);
    const bool number = on.type == ExprType::integer && !is_integer(name.text);
    const bool known =
        values.empty() || std::find(values.begin(), values.end(), name.text) != values.end();
    if (known && !number) return;
    flow.work.findings.error(
        "UNKNOWN_VALUE", name.path, "\"" + name.text + "\" is not a possible value of \"on\".",
        number ? "use a whole number"
               : did_you_mean(name.text, values, "the values are " + joined(values)));
}

std::vector<FlowStep> branch(FlowWork& flow, const std::vector<contract::Step>& steps) {
    const std::size_t before = flow.names.steps.size();
    const std::size_t silent = flow.names.silent.size();
    std::vector<FlowStep> out = resolve_steps(flow, steps);
    flow.names.steps.resize(before);
    flow.names.silent.resize(silent);
    return out;
}

// Could whoever the step runs as be that principal? A persona stands for nobody, so it has no role
// in an organisation. Who calls a function is not known here, but a run's actor has an account.
bool may_be(const FlowWork& flow, const Principal& principal) {
    using Kind = Principal::Kind;
    if (flow.run_as.kind == RunAs::Kind::actor)
        return flow.function || (principal.kind != Kind::guest && principal.kind != Kind::server);
    const auto& personas = flow.work.out.personas;
    const auto persona = find_named(personas, flow.run_as.persona, &Persona::id);
    return !persona ||
           (principal.kind != Kind::org_role && is_meant(personas[*persona], principal));
}

// The system may call any; one without "allow" is there for steps. What is not known here is judged
// when the step runs (svc.check_call).
void may_call(FlowWork& flow, const Function& function, const contract::Text& name) {
    if (flow.run_as.kind == RunAs::Kind::system || function.allow.empty()) return;
    const bool may = std::any_of(function.allow.begin(), function.allow.end(),
                                 [&](const Principal& who) { return may_be(flow, who); });
    if (may) return;
    const bool actor = flow.run_as.kind == RunAs::Kind::actor;
    const std::string who = actor ? "the user who started the run, and no user may"
                                  : "\"" + flow.run_as.persona + "\", and that persona may not";
    flow.work.findings.error("BAD_CALL", name.path,
                             "This step runs as " + who + " call \"" + name.text + "\".",
                             std::string("add the persona") + (actor ? "s of such users" : "") +
                                 " to the function's \"allow\", or change \"runAs\"");
}

FlowAction call_function(FlowWork& flow, const contract::Step& step, const contract::Text& name,
                         std::optional<FlowType>& gives) {
    const auto& functions = flow.work.out.flows.functions;
    const auto target = find_named(functions, name.text, &Function::name);
    const Value* given = step.body.find("params");
    if (!target) {
        const std::vector<std::string> known = names_of(functions, &Function::name);
        flow.work.findings.missing(
            "UNKNOWN_FUNCTION", name.text, name.path, "There is no function \"" + name.text + "\".",
            did_you_mean(
                name.text, known,
                known.empty() ? "add it to \"functions\"" : "the functions are " + joined(known)));
        gives = FlowType{};
        return CallStep{false, 0, read_members(flow, given)};
    }
    gives = flow.results[*target];
    may_call(flow, functions[*target], name);
    return CallStep{
        false, *target,
        read_arguments(flow, step.body, given, functions[*target].params, "\"" + name.text + "\"")};
}

FlowAction call_workflow(FlowWork& flow, const contract::Step& step, const contract::Text& name) {
    const auto& workflows = flow.work.out.flows.workflows;
    const auto target = find_named(workflows, name.text, &Workflow::id);
    const Value* given = step.body.find("params");
    if (!target) {
        unknown_workflow(flow.work, name);
        return CallStep{true, 0, read_members(flow, given)};
    }
    const Workflow& called = workflows[*target];
    if (!is_callable(called.on)) {
        flow.work.findings.error(
            "BAD_CALL", name.path,
            "\"" + name.text +
                "\" uses the row, message or body of its own trigger, so a step cannot call it.",
            "move the steps into a workflow with \"on\": {\"manual\": true}");
    }
    const bool anything = called.on.kind == Trigger::Kind::manual && called.params.empty();
    if (anything) return CallStep{true, *target, read_members(flow, given)};
    return CallStep{true, *target,
                    read_arguments(flow, step.body, given, called.params, "\"" + name.text + "\"")};
}

}  // namespace

FlowAction read_set(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    SetStep out{read_members(flow, &step.body)};
    for (const contract::Member& member : step.body.members) {
        if (contract::is_identifier(member.name)) continue;
        flow.work.findings.error(
            "BAD_NAME", contract::name_of(member.value.path),
            "\"" + member.name + "\" is not a valid name.",
            "begin with a lower-case letter and go on with lower-case letters, "
            "digits and _; at most 48 in all");
    }
    gives = type_of(flow, out.values);
    return out;
}

FlowAction read_switch(FlowWork& flow, const contract::Step& step, std::optional<FlowType>&) {
    SwitchStep out;
    const Reader in(step.body);
    out.on = read_expression(in.text("on"), flow.scope, flow.work.findings);
    for (const auto& [name, steps] : step.cases) {
        if (out.on) check_case(flow, *out.on, name);
        out.cases.emplace_back(name.text, branch(flow, steps));
    }
    out.has_else = in.find("else") != nullptr;
    out.otherwise = branch(flow, step.otherwise);
    return out;
}

FlowAction read_sleep(FlowWork& flow, const contract::Step& step, std::optional<FlowType>&) {
    not_in_functions(flow, step);
    return SleepStep{read_seconds(flow.work, {step.body.text, step.body.path})};
}

FlowAction read_wait_for(FlowWork& flow, const contract::Step& step,
                         std::optional<FlowType>& gives) {
    not_in_functions(flow, step);
    const Reader in(step.body);
    WaitForStep out;
    out.topic = read_template(flow, in.find("topic"));
    check_topic(flow.work, in.text("topic"));
    out.timeout = read_seconds(flow.work, in.text("timeout"));
    if (const auto condition = in.maybe_text("if")) {
        flow.names.locals.push_back({"payload", {}});
        out.condition = read_condition(*condition, flow.scope, flow.work.findings);
        flow.names.locals.pop_back();
    }
    gives = object_of({{"payload", {}},
                       {"timedOut", scalar(ExprType::boolean)},
                       {"lost", scalar(ExprType::boolean)}});
    return out;
}

FlowAction read_call(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    if (const auto function = in.maybe_text("function")) {
        return call_function(flow, step, *function, gives);
    }
    gives = FlowType{};
    return call_workflow(flow, step, in.text("workflow"));
}

FlowAction read_return(FlowWork& flow, const contract::Step& step, std::optional<FlowType>&) {
    ReturnStep out{read_value(flow, step.body)};
    flow.returned.push_back(type_of(flow, out.value));
    return out;
}

FlowAction read_fail(FlowWork& flow, const contract::Step& step, std::optional<FlowType>&) {
    return FailStep{read_said(flow, &step.body, "message")};
}

}  // namespace svc::model
