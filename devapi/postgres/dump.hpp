// Writes whole databases to files and reads them back, with pg_dump and pg_restore.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace svc::devapi {

// pg_dump or pg_restore failed, took too long or is not installed. what() has the program's
// message, without the password.
struct DumpFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct DumpOptions {
    bool schema_only = false;
    std::vector<std::string> without_rows;  // patterns of tables whose definition alone is wanted
    int compression = 1;                    // 0 to 9, of gzip
    std::chrono::seconds limit{600};        // then it is ended, and DumpFailed thrown
    std::string snapshot = {};              // as pg_export_snapshot() named it; empty: its own
};

// Writes the database that `url` names to `file` in pg_dump's custom format, for its owner alone.
// The file is there whole or not at all: it is written as <file>.partial, which a kill may leave,
// and flushed to the disk before it gets its name. pg_dump ends with the thread that asked for it.
// Blocks. Throws DumpFailed, std::system_error.
void dump_database(const std::string& url, const std::string& file,
                   const DumpOptions& options = {});

struct LoadOptions {
    bool privileges = true;  // owners and grants as they were: the roles must be there
    std::chrono::seconds limit{600};
};

// Loads `file` into the empty database that `url` names, in one transaction: a kill at any moment
// leaves it empty or whole. Blocks. Throws DumpFailed, std::system_error.
void load_database(const std::string& url, const std::string& file,
                   const LoadOptions& options = {});

// Folder with the newest of PostgreSQL's programs on this machine: an older one refuses newer
// servers. Throws std::runtime_error that says what to install.
std::string newest_postgres_programs();

}  // namespace svc::devapi
