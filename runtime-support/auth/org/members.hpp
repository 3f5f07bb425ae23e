// The members of an organisation.
#pragma once

#include "auth/context.hpp"

namespace svc::auth::org {

Task<Done> members(Call& call);        // GET /orgs/members
Task<Done> change_member(Call& call);  // PATCH /orgs/members/<id> {role}
// DELETE /orgs/members/<id>: somebody else, or oneself.
Task<Done> remove_member(Call& call);
Task<Done> invite(Call& call);  // POST /orgs/invite {email, role}

}  // namespace svc::auth::org
