// Finds functions, workflows and webhooks that are legal and probably wrong, and those whose parts
// are right but do not fit together.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::check {

// Warnings FUNCTION_FOR_NOBODY, STEP_DOES_NOTHING, UNREACHABLE_STEP, WEBHOOK_IDLE,
// WEBHOOK_LACKS_SECRET, WEBHOOK_NOT_SIGNED, WORKFLOW_TRIGGERS_ITSELF, and all of those below.
void check_flows(const model::Model& model, diag::Findings& findings);

// Error OUTSIDE_AFTER_WRITE.
void check_order(const model::Model& model, diag::Findings& findings);
// Errors TOPIC_NOT_GUARDED, BAD_TOPIC; warning TOPIC_NOT_DECLARED.
void check_topics(const model::Model& model, diag::Findings& findings);
// Errors EXTERNAL_WRITE, BAD_TRIGGER.
void check_external(const model::Model& model, diag::Findings& findings);
// Warning SKIPPED_OUTPUT.
void check_skipped(const model::Model& model, diag::Findings& findings);
// Warning STEP_WITHOUT_AI.
void check_ai_steps(const model::Model& model, diag::Findings& findings);
// Warning SETTING_UNUSED.
void check_settings(const model::Model& model, diag::Findings& findings);

}  // namespace svc::check
