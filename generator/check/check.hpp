// Finds parts of a contract that are legal and probably wrong. All findings are warnings.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::check {

diag::Findings check(const model::Model& model);
// The parts of it: what entities alone say, and what flows and pages make of them.
void check_entities(const model::Model& model, diag::Findings& findings);
void check_uses(const model::Model& model, diag::Findings& findings);

}  // namespace svc::check
