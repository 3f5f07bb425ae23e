// Answers what a deploy would change.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "platform/project/deployments.hpp"

namespace svc::devapi {

// Answers it for `wanted`, whose env, contract and version are set: as the dry run of an apply
// does, and {env, version, live, changes}. `live` is the version that is published there now, null
// where there is none; `changes` is what differs between both contracts. Changes nothing.
void preview_deploy(Context& context, const Request& request, const Deployment& wanted,
                    Response& response);

}  // namespace svc::devapi
