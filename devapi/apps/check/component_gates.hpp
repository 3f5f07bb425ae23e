// Checks the components of a contract, for every check and apply of it.
#pragma once

#include <string>

#include "build/build.hpp"
#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::devapi {

// `plan`: that of the contract, its queries proved. A contract without components costs nothing.
// Findings are not located yet. Blocks, up to some minutes; worker threads only. `party`: the
// caller (gates/permit.hpp).
void gate_components(const std::string& contract, const plan::Plan& plan,
                     const build::Settings& settings, diag::Findings& findings);

}  // namespace svc::devapi
