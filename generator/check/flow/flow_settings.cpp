// Finds settings of steps that steps of their kind do not use.
#include <variant>

#include "check/flow/flow_steps.hpp"
#include "check/flow/flows.hpp"

namespace svc::check {
namespace {

using model::FlowStep;

template <class... Kinds>
bool is_one_of(const FlowStep& step) {
    return (std::holds_alternative<Kinds>(step.action) || ...);
}

void unused(const FlowStep& step, const std::string& setting, const std::string& why,
            const std::string& fix, diag::Findings& findings) {
    findings.warning("SETTING_UNUSED", step.path + "/" + setting,
                     "\"" + setting + "\" does nothing here: " + why, fix);
}

void look_at(const FlowStep& step, diag::Findings& findings) {
    if (!step.idempotency.empty() && !is_one_of<model::HttpStep, model::ConnectorStep>(step)) {
        unused(step, "idempotency", "only http and connector steps send this key.",
               "remove it: a run does each step once; give the workflow a \"key\" if it should not "
               "run twice for the same thing",
               findings);
    }
    if (!step.timeout) return;
    if (is_one_of<model::SleepStep, model::WaitForStep>(step)) {
        unused(step, "timeout", "\"" + step.id + "\" already says how long it waits.", "remove it",
               findings);
    } else if (is_one_of<model::CallStep>(step)) {
        unused(step, "timeout", "what \"" + step.id + "\" calls has limits of its own.",
               "give the steps there a \"timeout\"", findings);
    }
}

}  // namespace

void check_settings(const model::Model& model, diag::Findings& findings) {
    const auto look = [&](const FlowStep& step) { look_at(step, findings); };
    for (const model::Function& function : model.flows.functions) each_step(function.steps, look);
    for (const model::Workflow& workflow : model.flows.workflows) each_step(workflow.steps, look);
}

}  // namespace svc::check
