// The changes that administrators make to accounts.
#pragma once

#include <string>
#include <string_view>

#include "auth/body.hpp"
#include "auth/context.hpp"
#include "db/request.hpp"
#include "identity/result.hpp"

namespace svc::auth::account {

Task<Done> add_user(Call& call);     // POST /auth/users
Task<Done> change_user(Call& call);  // PATCH /auth/users/<id>

// The change that a body asks for. Views into the body.
struct AccountChange {
    db::Param name, email, role, admin, disabled;
    std::string email_value;
};

// Refused where a value is none that an account of this app may have.
identity::Result<void> read_change(const Context& in, const Members& body, AccountChange& out);
identity::Refusal email_taken();
// Mails a link by which the owner of the address gets into their account. Where people sign in by
// providers alone, no link is needed: the address finds the account.
Task<Done> mail_invitation(const Call& call, std::string_view email);

}  // namespace svc::auth::account
