// Functions, workflows and webhooks that are legal and probably wrong.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::check {

// Warnings FUNCTION_FOR_NOBODY, UNREACHABLE_STEP, WEBHOOK_IDLE, WORKFLOW_TRIGGERS_ITSELF.
void check_flows(const model::Model& model, diag::Findings& findings);

}  // namespace svc::check
