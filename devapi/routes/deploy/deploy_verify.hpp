// The verification before a deploy.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "platform/project/deployments.hpp"

namespace svc::devapi {

// Verifies what dev has, and keeps the report in `deployment`. False: it did not pass, or could not
// be run, and that is answered. Throws pqxx::failure.
bool verified(Context& context, const Request& request, Deployment& deployment, Response& response);

}  // namespace svc::devapi
