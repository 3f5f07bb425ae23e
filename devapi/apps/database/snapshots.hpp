// Copies of apps' databases in files, with the data to check that a copy is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/database/database.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct SnapshotRecord {
    std::string id, project_id;
    Env env = Env::dev;
    std::string reason;  // manual, deploy, restore, sql, delete
    std::string note;
    std::string file;  // below <home>/snapshots
    std::int64_t bytes = 0;
    std::string sha256;
    std::int64_t version = 0;  // of the contract that it follows
    std::string counts;        // rows by table, JSON text
    std::string created_at;
    std::optional<std::string> by;  // e-mail address; none: svcd itself
};

// The file is missing, or has changed since it was written.
struct SnapshotDamaged : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The database to copy, and the reason.
struct SnapshotRequest {
    std::string project;
    Env env;
    std::string reason;
    std::string note = {}, user = {};  // user: account; empty: svcd itself
};

// Thread-safe; blocking.
class Snapshots {
  public:
    Snapshots(Store& store, const std::string& home)
        : store_(store), folder_(home + "/snapshots") {}

    // Writes the file, checks that pg_restore can read it, then writes its row. A kill leaves no
    // row, and at most a file without a row. Then deletes old snapshots. Throws DumpFailed,
    // pqxx::failure, std::system_error.
    SnapshotRecord take(const AppDatabase& database, const SnapshotRequest& wanted) const;

    // Newest first. Without `env`: of all environments.
    std::vector<SnapshotRecord> list(const std::string& project, std::optional<Env> env) const;
    std::optional<SnapshotRecord> find(const std::string& project, const std::string& id) const;
    // The path of the file, after checking that it is complete. Throws SnapshotDamaged.
    std::string whole(const SnapshotRecord& snapshot) const;

  private:
    void prune(const SnapshotRequest& wanted) const;

    Store& store_;
    const std::string folder_;
};

// The number of rows of each table, as JSON text. Two databases with equal texts count as copies.
std::string count_rows(pqxx::transaction_base& tx);

}  // namespace svc::devapi
