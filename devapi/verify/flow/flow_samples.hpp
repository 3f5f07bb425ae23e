// The callers and parameters with which functions and workflows of the clone are started.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

// The accounts among the callers, without those that are members of an organisation by role.
std::vector<const VerifyCaller*> people_of(const Subject& subject);
// A value for each parameter; ids are those of rows that are there, another one for each `n`.
nlohmann::json sample_params(Subject& subject, const std::vector<model::Field>& params,
                             const std::vector<model::FlowStep>& steps, std::size_t n);
// The state with which svc.run_function begins; `caller` null: another step calls it.
std::string call_state(const nlohmann::json& params, const VerifyCaller* caller);

}  // namespace svc::devapi::verification
