// Checks the components of a contract at the gates.
#pragma once

#include "diag/finding.hpp"
#include "gates/gates.hpp"
#include "model/model.hpp"

namespace svc::gates {

// `files`: what emit() made of the same contract; the typed client is taken from it.
Job job_of(const model::Model& model, const emit::FileSet& files);

// Errors COMPONENT_STATIC, COMPONENT_TYPES, COMPONENT_COMPILE, COMPONENT_RENDER, each at its place
// in the contract, with file, line and column of the component; COMPONENT_NOT_CHECKED if the gates
// could not run.
void add_findings(const Report& report, const model::Model& model, diag::Findings& findings);

}  // namespace svc::gates
