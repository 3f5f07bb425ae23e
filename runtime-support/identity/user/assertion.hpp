// Identity that a server key asserts: x-svc-app-user, x-svc-app-role, x-svc-app-org.
#pragma once

#include <string_view>

#include "identity/caller.hpp"
#include "identity/result.hpp"
#include "identity/user/account.hpp"
#include "identity/user/cache.hpp"

namespace svc::identity {

struct Assertion {
    std::string_view user, role, org;  // each empty if it is not sent
    bool any() const { return !user.empty() || !role.empty() || !org.empty(); }
};
Assertion assertion(const http::Head& head);

class AssertedCallers {
  public:
    AssertedCallers(const App& app, db::Pool& system);

    // With a user, persona and organisation are the account's unless the other headers say
    // otherwise; a persona alone acts without a user id. The role is a persona, org:<role> (which
    // needs an organisation), or both with a comma between. An unknown one is PARAMS_INVALID.
    Task<Result<Caller>> resolve(Assertion asserted, Cached cached);

  private:
    Task<Result<Caller>> resolve_persona(Assertion asserted, Cached cached);
    Task<Result<Caller>> resolve_user(Assertion asserted, Cached cached);
    Task<Result<std::shared_ptr<const Account>>> account(std::string id, Cached cached);

    const App& app_;
    db::Pool& system_;
    Cache<std::string, Account> recent_;
};

}  // namespace svc::identity
