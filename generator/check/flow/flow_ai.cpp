// Finds steps that ask a model in an app without one.
#include <variant>

#include "check/flow/flow_steps.hpp"
#include "check/flow/flows.hpp"

namespace svc::check {

// The first step alone: one block serves all of them.
void check_ai_steps(const model::Model& model, diag::Findings& findings) {
    if (model.ai.present) return;
    bool found = false;
    for (const model::Workflow& workflow : model.flows.workflows)
        each_step(workflow.steps, [&](const model::FlowStep& step) {
            const bool asks = std::holds_alternative<model::AiStep>(step.action) ||
                              std::holds_alternative<model::EmbedStep>(step.action);
            if (found || !asks) return;
            found = true;
            findings.warning(
                "STEP_WITHOUT_AI", step.path,
                "\"" + step.id +
                    "\" asks a model, but the contract has no \"ai\", so the step always fails.",
                "add \"ai\": {\"model\": …} to the contract");
        });
}

}  // namespace svc::check
