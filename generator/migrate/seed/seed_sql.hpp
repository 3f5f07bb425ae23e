// The statements that seeding runs on rows and accounts.
#pragma once

#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "migrate/seed/seed_keys.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

// A value for each column, as PostgreSQL reads it; none: null.
using SeedValues = std::vector<std::optional<std::string>>;

// The id of the new row.
std::string insert_row(pqxx::transaction_base& tx, const plan::SeedRow& row,
                       const SeedValues& values);
// Sets these columns of the row. A row that somebody deleted is not made again.
void update_row(pqxx::transaction_base& tx, const plan::SeedRow& row, const SeedValues& values,
                const std::vector<std::string>& columns, const std::string& id);

// Makes the account, or finds the account with this address, which is not changed.
SeedRecord insert_user(pqxx::transaction_base& tx, const plan::SeedUser& user);
// A seed changes nothing in an account that existed before it. With another address it is another
// account.
SeedRecord update_user(pqxx::transaction_base& tx, const plan::SeedUser& user,
                       const SeedRecord& old);

}  // namespace svc::migrate
