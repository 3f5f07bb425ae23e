// The app keys of each project, as last read from the platform, and the write into svc.app_key.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/database/database.hpp"

namespace svc::devapi {

// Remembers the newest list of each project, and writes it. An apply carries the list of the moment
// when it began; a key that was revoked while it compiled must not come back to life with it. For
// any thread; write() blocks.
class KeyBook {
  public:
    // Called right before a list is written; removes keys that are not valid any more.
    using Narrow = std::function<void(const std::string& project, std::vector<KeyRecord>& keys)>;
    explicit KeyBook(Narrow narrow) : narrow_(std::move(narrow)) {}

    // Names of the databases whose svc.app_key is there already, so that the list must be written
    // now; to others the first apply does it.
    std::set<std::string> set(const std::string& project, std::vector<KeyRecord> keys);
    // Keeps the list only if there is none yet.
    void offer(const std::string& project, const std::vector<KeyRecord>& keys);
    // Brings svc.app_key to exactly the list held, in one statement. Throws pqxx::failure.
    void write(const std::string& project, const AppDatabase& database);
    // Forgets a dropped database, but keeps the list.
    void close(const std::string& project, const AppDatabase& database);
    void forget(const std::string& project);

  private:
    struct Entry {
        std::mutex writing;  // one writer at a time, each with the list as it is then
        std::optional<std::vector<KeyRecord>> keys;
        std::set<std::string> open;  // databases that have the table: since the first write()
    };
    std::shared_ptr<Entry> entry(const std::string& project);

    const Narrow narrow_;
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Entry>> entries_;
};

// A lock for each project, which exists as long as svcd runs.
class ProjectLocks {
  public:
    std::mutex& of(const std::string& project) {
        const std::lock_guard lock(mutex_);
        return locks_[project];
    }

  private:
    std::mutex mutex_;
    std::map<std::string, std::mutex> locks_;
};

}  // namespace svc::devapi
