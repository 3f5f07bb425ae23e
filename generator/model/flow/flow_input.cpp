// The names that steps of a workflow may use: its input, to which its trigger adds, and the row of
// its trigger.
#include <algorithm>

#include "base/append.hpp"
#include "model/flow/flow_work.hpp"
#include "model/flow/topic_name.hpp"

namespace svc::model {
namespace {

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

// The values that the trigger adds to the parameters of a workflow.
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

}  // namespace

std::vector<FlowMember> members_of(const std::vector<Field>& params) {
    std::vector<FlowMember> out;
    out.reserve(params.size());
    for (const Field& param : params) out.push_back({param.name, type_of(param)});
    return out;
}

void name_by_trigger(FlowWork& flow, std::size_t index) {
    flow.names.input = input_of(flow.work, index);
    scope_of(flow.work.out.flows.workflows[index].on, flow);
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

}  // namespace svc::model
