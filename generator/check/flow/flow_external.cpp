// Rows of another database: no transaction of the app covers what is written there, and no record
// of it is made.
#include <variant>

#include "check/flow/flow_steps.hpp"
#include "check/flow/flows.hpp"

namespace svc::check {
namespace {

std::optional<std::size_t> written_entity(const model::FlowAction& action) {
    if (const auto* create = std::get_if<model::CreateStep>(&action)) return create->entity;
    if (const auto* update = std::get_if<model::UpdateStep>(&action)) return update->entity;
    if (const auto* gone = std::get_if<model::DeleteStep>(&action)) return gone->entity;
    return std::nullopt;
}

void hold_writes(const model::Model& model, const std::vector<model::FlowStep>& steps,
                 diag::Findings& findings) {
    each_step(steps, [&](const model::FlowStep& step) {
        const auto entity = written_entity(step.action);
        if (!entity || !model.entities[*entity].external) return;
        const std::string& name = model.entities[*entity].name;
        findings.error(
            "EXTERNAL_WRITE", step.path,
            "\"" + step.id + "\" writes rows of " + name +
                ", which are kept in another database, so the write and the record of the step "
                "cannot be one transaction.",
            "write there with an http step: it may run twice, and its idempotency key shows that");
    });
}

void never(const model::Entity& entity, const std::string& path, diag::Findings& findings) {
    findings.error("BAD_TRIGGER", path,
                   "Rows of " + entity.name +
                       " are kept in another database, so svc does not see their changes.",
                   "poll them with \"every\"");
}

}  // namespace

void check_external(const model::Model& model, diag::Findings& findings) {
    for (const model::Function& function : model.flows.functions)
        hold_writes(model, function.steps, findings);
    for (const model::Workflow& workflow : model.flows.workflows) {
        hold_writes(model, workflow.steps, findings);
        const model::Trigger& on = workflow.on;
        const bool event = on.kind == model::Trigger::Kind::event && !on.broken;
        if (event && model.entities[on.entity].external)
            never(model.entities[on.entity], workflow.path + "/on/entity", findings);
    }
    for (const model::WebhookOut& hook : model.flows.webhooks_out) {
        for (const model::RowChange& change : hook.on) {
            if (model.entities[change.entity].external)
                never(model.entities[change.entity], hook.path + "/on", findings);
        }
    }
}

}  // namespace svc::check
