// Accounts in svc.account, as the sign-in routes need them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/pool.hpp"
#include "identity/result.hpp"
#include "identity/user/account.hpp"

namespace svc::auth {

inline constexpr std::size_t kLongestPersonName = 200;  // characters

struct NewAccount {
    std::string id, email, name, password_hash,
        persona;  // empty hash: the account signs in by link
};

enum class Added : bool { no, yes };

class AccountStore {
  public:
    explicit AccountStore(db::Pool& system) : system_(system) {}

    // `email` normalised.
    Task<identity::Result<std::optional<identity::Account>>> find(std::string_view email);
    // Adds the account and runs `beside`: both or neither. `no`: the address is taken.
    Task<identity::Result<Added>> add(const NewAccount& account, const db::Command& beside);

  private:
    db::Pool& system_;
};

}  // namespace svc::auth
