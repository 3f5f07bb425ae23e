// Locks of tables: taken together before the first change, waited for a bounded time.
#pragma once

#include <cstdint>
#include <pqxx/pqxx>
#include <string>

#include "migrate/diff/diff.hpp"

namespace svc::migrate {

constexpr std::int64_t kMigrationLock = 0x7376632d6d696772;  // "svc-migr"
constexpr std::int64_t kDeferredLock = 0x7376632d73657474;   // "svc-sett"

// Takes a lock for the connection. Throws pqxx::sql_error 55P03 after `ms`.
void take_lock(pqxx::transaction_base& tx, std::int64_t lock, unsigned ms);

// A transaction that waits for a table makes all later readers wait too, so it waits at most `ms`
// for all tables together. `waiting` is the table that it waits for.
void lock_tables(pqxx::transaction_base& tx, const std::vector<Step>& steps, unsigned ms,
                 std::string& waiting);

// "process 4711 (idle in transaction for 12 s): select …" of the processes that lock `table`, or
// the migration's lock if `table` is empty. Empty if there is none, or none that is visible.
std::string who_holds(pqxx::transaction_base& tx, const std::string& table);

}  // namespace svc::migrate
