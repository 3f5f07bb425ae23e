// Invitations to an organisation: mailed links, which prove who owns the address. The account of
// that address joins. If there is none, one is made, and its owner chooses a password.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"

namespace svc::auth::org {

// `email` normalised. CONFLICT if they are a member already.
Task<Done> invite_to_org(const Call& call, const std::string& org, const std::string& email,
                         std::string_view role);

Task<Done> accept_invitation(Call& call);  // GET /orgs/invite/accept?token=

}  // namespace svc::auth::org
