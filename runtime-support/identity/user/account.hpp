// An account of the app, as svc.account holds it.
#pragma once

#include <optional>
#include <string>

#include "db/pool.hpp"
#include "identity/caller.hpp"

namespace svc::identity {

struct Account {
    User user;                  // without organisation
    std::string password_hash;  // empty: signs in by link
    bool disabled = false;
    bool verified = false;
};

// Keeps the row of a statement that selects, in this order: id, email, name, persona, is_admin,
// password_hash, disabled, verified_at is not null.
class AccountRow : public db::RowSink {
  public:
    void row(const Row& row) override;
    std::optional<Account> account;
};

// Reads an account row with one more text.
class AccountWithText : public AccountRow {
  public:
    void row(const Row& row) override {
        AccountRow::row(row);
        text = row.text(8);
    }
    std::string text;
};

}  // namespace svc::identity
