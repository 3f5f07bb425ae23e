#include "platform/snapshot.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "data/uuid.hpp"
#include "platform/crypto.hpp"
#include "postgres/child.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {

Snapshot take_snapshot(const std::string& home, const std::string& project,
                       const std::string& database_url) {
    if (database_url.empty()) return {};
    const std::string folder = home + "/snapshots";
    std::filesystem::create_directories(folder);
    ::chmod(folder.c_str(), 0700);
    const std::string stem = folder + "/" + project + "-" + data::new_uuid();
    const std::string file = stem + ".dump", log = stem + ".log";
    Child dump;
    dump.argv = {"/usr/bin/pg_dump", "--format=custom", "--file=" + file,
                 "--dbname=" + without_setting(database_url, "password")};
    dump.environment = {{"PGPASSWORD", conninfo_value(database_url, "password")}};
    dump.output = log;
    if (run_to_end(dump)) {
        ::chmod(file.c_str(), 0600);
        std::filesystem::remove(log);
        return {file, {}};
    }
    const std::string words = last_lines(log);
    std::filesystem::remove(log);
    std::filesystem::remove(file);
    return {{}, words.empty() ? "pg_dump could not be run." : words};
}

}  // namespace svc::devapi
