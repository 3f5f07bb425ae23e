// A copy of an app's database in a file, as pg_dump makes it.
#pragma once

#include <string>

namespace svc::devapi {

struct Snapshot {
    std::string file;   // empty where there was no database to copy
    std::string error;  // empty: done
};

// Blocks. The file is <home>/snapshots/<project>-<id>.dump, for its owner alone.
Snapshot take_snapshot(const std::string& home, const std::string& project,
                       const std::string& database_url);

}  // namespace svc::devapi
