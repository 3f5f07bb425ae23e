// Shared parts of the checks of functions and of workflows.
#pragma once

#include <set>
#include <string>

#include "verify/flow/flow_outcome.hpp"
#include "verify/flow/flow_reach.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

// Adds to the check's runs what it did; a counter-example where it ended by its own fault.
void report_run(VerifyCheck& out, const std::string& of, const std::string& by,
                const FlowOutcome& outcome);

// One case for each function, or each workflow: compares the definition that dev would run with the
// contract.
void compare_definitions(Subject& subject, bool workflows, VerifyCheck& out);

// True if nothing that they run reads rows of another database, which the clone cannot reach.
bool can_be_driven(const Subject& subject, const std::string& name, bool workflow,
                   const Reach& reach);

}  // namespace svc::devapi::verification
