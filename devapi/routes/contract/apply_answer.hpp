// Runs an apply for a request and answers it: stages while it runs, then the result.
#pragma once

#include <string>
#include <vector>

#include "apps/lease/lease.hpp"
#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

struct ApplyRequest {
    std::string contract;
    bool force = false;  // write over generated files that were edited by hand
    std::vector<migrate::Replaced> replaced = {};
    diag::Findings notices = {};  // beside what the apply itself finds
};

// {report, summary, warnings, exposure, plan, unmanaged, dryRun}
json previewed_json(const ApplyOutcome& outcome, json report);

// Applies, blocks until the contract is live or refused, and answers.
void run_apply(Context& context, const Request& request, Lease& lease, const ApplyRequest& wanted,
               Response& response);
// Answers what an apply would change; changes nothing.
void run_preview(Context& context, const Request& request, const ApplyRequest& wanted,
                 Response& response);

}  // namespace svc::devapi
