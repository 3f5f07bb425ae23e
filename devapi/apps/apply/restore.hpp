// Restores a snapshot as an environment's database, beside the database that serves until then.
#pragma once

#include "apps/apply/apply.hpp"
#include "apps/database/snapshots.hpp"

namespace svc::devapi {

struct RestoreOutcome {
    bool done = false;
    std::optional<StageName> failed_stage;  // not done; what served before does
    std::string error;
    diag::Findings findings;  // rows of the snapshot that the live contract does not take
    std::string safety;       // id of the snapshot of what was there before
    std::string warning;      // done, but for this
    std::int64_t held = 0;    // runs that go on once somebody releases them
    std::int64_t held_mails = 0, held_deliveries = 0;  // the same of what was not sent
};

// Loads the snapshot into a database of its own, compares it with what was written, brings it to
// the contract that is live, starts the live binary on it, and lets that one serve: the exchange is
// one row of the platform's (`project_database`). The previous database is copied after its server
// has ended, with all acknowledged writes, and then dropped. After a kill one of the two databases
// is complete. Blocks; worker threads only. The outcome has the failure, if any; the end is written
// to the lease's row.
RestoreOutcome restore(const ApplyServices& services, Lease& lease, const SnapshotRecord& snapshot,
                       const std::string& user, const OnStage& progress);

// After a kill: whether this restore's database is the one that serves.
bool was_exchanged(const ApplyServices& services, const Lease& left);
// What to do with databases of an environment that do not serve.
enum class OldDatabases {
    kept,             // copied, then dropped
    of_this_restore,  // what is newer than the one that serves is dropped
    dropped,          // all of them
};
// The id of the last copy. Throws pqxx::failure, DumpFailed.
std::string clear_old_databases(const ApplyServices& services, const AppId& app,
                                OldDatabases others, const std::string& user);

// Loads which databases serve, from the platform's tables.
void load_generations(const AppsConfig& config, Store& store);

}  // namespace svc::devapi
