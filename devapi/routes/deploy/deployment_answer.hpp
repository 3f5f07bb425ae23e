// A deployment as JSON, and the answer of a publication.
#pragma once

#include <string>

#include "apps/apply/apply.hpp"
#include "http/dev_request.hpp"
#include "platform/project/deployments.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

// `answers` is the name that its environment answers under: a rollback keeps it, so whatever the
// deployment was published under is only history. Empty: nothing answers.
json deployment_json(const Config& config, const Deployment& deployment,
                     const std::string& answers);

// Answers `body`: with the time that the swap took, or with why nothing became live. `unfit` says
// that the database does not take this contract.
void answer_release(const ApplyOutcome& outcome, json body, const std::string& unfit,
                    Response& response);

}  // namespace svc::devapi
