// Lets administrators remove the factors of a user who lost a phone.
#pragma once

#include "auth/context.hpp"

namespace svc::auth::mfa {

Task<Done> remove_factors(Call& call);  // DELETE /auth/users/<id>/mfa

}  // namespace svc::auth::mfa
