// What functions and workflows of the clone are begun with.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "verify/flow_drive.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

// A value for each parameter; ids are those of rows that are there, another one for each `n`.
nlohmann::json sample_params(Subject& subject, const std::vector<model::Field>& params,
                             const std::vector<model::FlowStep>& steps, std::size_t n);
// As svc.run_function begins; `caller` null: another step calls it.
std::string call_state(const nlohmann::json& params, const VerifyCaller* caller);

// Ways in which its trigger may begin a run, 40 at most.
std::vector<FlowStart> sample_starts(Subject& subject, std::size_t workflow);

}  // namespace svc::devapi::verification
