// Checks what pages show to which callers.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::check {

// Warnings HIDDEN_FIELD_SHOWN, BLOCK_SHOWS_NOTHING, FORM_FOR_NOBODY, FORM_LACKS_FIELD,
// SIGN_IN_HIDDEN and UNUSED_COMPONENT.
void check_pages(const model::Model& model, diag::Findings& findings);
// UNUSED_COMPONENT alone.
void unused_components(const model::Model& model, diag::Findings& findings);

}  // namespace svc::check
