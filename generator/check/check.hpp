// What is legal and probably wrong. Only warnings come from here.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::check {

diag::Findings check(const model::Model& model);

}  // namespace svc::check
