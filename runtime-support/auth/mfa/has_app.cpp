#include "auth/mfa/has_app.hpp"

#include "auth/mfa/mfa_store.hpp"

namespace svc::auth::mfa {

Task<bool> has_factor_app(const Context& in, std::string account) {
    MfaStore store(in);
    const auto factors = co_await store.find(account);
    co_return factors && factors->confirmed();
}

}  // namespace svc::auth::mfa
