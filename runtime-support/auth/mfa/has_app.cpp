#include "auth/mfa/has_app.hpp"

#include "auth/mfa/mfa_store.hpp"

namespace svc::auth {

Task<bool> has_factor_app(const Context& in, std::string account) {
    mfa::MfaStore store(in);
    const auto factors = co_await store.find(account);
    co_return factors && factors->confirmed();
}

}  // namespace svc::auth
