// Resets the rows of a dev environment to the contract's seeds.
#pragma once

#include <optional>
#include <string>

#include "apps/database/database.hpp"
#include "common/dev_code.hpp"

namespace svc::devapi {

struct DemoRefusal {
    AnyCode code;
    std::string message;
};

struct DemoState {
    bool available = false;     // the contract has seeds
    std::string last_reset_at;  // ISO 8601; empty: never
};
// Blocking. Throws pqxx::failure.
DemoState demo_state(const std::string& admin_url);

// Deletes the rows of the contract's tables and makes those of the seeds, in one transaction, with
// the app's rules and change records; accounts stay. `change` and `token` are those of the lease.
// Returns nothing on success. Blocking. Throws pqxx::failure if the connection is lost.
std::optional<DemoRefusal> reset_demo(const AppsConfig& config, const std::string& project,
                                      const std::string& change, std::int64_t token);

}  // namespace svc::devapi
