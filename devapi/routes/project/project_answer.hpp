// A project as answers show it.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// {id, name, slug, description, workspaceId, role, rateLimits, domains}
json project_json(Context& context, const Project& project);
// {project, state, previewPath, environments}: with the last applies, and what each environment
// serves. Values from an app's database are null if it does not answer.
json whole_project_json(Context& context, const Project& project);

}  // namespace svc::devapi
