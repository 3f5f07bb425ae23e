// Handlers of passkeys. Bodies are as browsers print credentials (PublicKeyCredential.toJSON),
// options as they read them (parseCreationOptionsFromJSON, parseRequestOptionsFromJSON).
#pragma once

#include "auth/context.hpp"

namespace svc::auth::passkey {

Task<Done> passkey_register_start(Call& call);   // POST /auth/passkeys/register/start
Task<Done> passkey_register_finish(Call& call);  // POST …/register/finish {credential, name?}
Task<Done> passkey_login_start(Call& call);      // POST …/login/start
Task<Done> passkey_login_finish(Call& call);     // POST …/login/finish {credential}
Task<Done> list_passkeys(Call& call);            // GET /auth/passkeys
Task<Done> remove_passkey(Call& call);           // DELETE /auth/passkeys/<id>

}  // namespace svc::auth::passkey
