// Adds tables beside the contract's: the SQL of POST /data/migrate.
#pragma once

#include <optional>
#include <string>

#include "apps/database/database.hpp"
#include "http/error.hpp"

namespace svc::devapi {

// Runs the SQL whole or not at all, as the owner of the database, in a transaction that no apply
// with an older lease than `token` outlives. Returns nothing on success. `change` is the id of the
// lease's row. Blocking. Throws pqxx::failure if the connection is lost.
std::optional<Error> add_unmanaged_tables(const AppsConfig& config, const std::string& project,
                                          const std::string& change, std::int64_t token,
                                          const std::string& sql);

}  // namespace svc::devapi
