// A project as answers show it.
#pragma once

#include "calls/context.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// {id, name, slug, description, workspaceId, role, rateLimits, domains}
json project_json(Context& context, const Project& project);
// {project, state, previewPath, environments}: with the last applies, and what each environment
// serves. What the database of an app knows is null if that does not answer.
json whole_project_json(Context& context, const Project& project);

}  // namespace svc::devapi
