// Unix users of app servers, if svcd is root. The servers of each project run as a user of their
// own, so that a fault in one app opens nothing of another. Users are numbers of a range that the
// operator sets; they need no entry in /etc/passwd. The first one is the standby's, which may
// connect to all servers.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "platform/store.hpp"

namespace svc::devapi {

struct UserRange {
    unsigned first = 0, last = 0;
    bool operator==(const UserRange&) const = default;
};

// "70000-74999"; none: "off". Throws std::invalid_argument that says what is wrong.
UserRange user_range(const std::string& text);
// True if this process can become each of these users: a container may have fewer users than the
// machine.
bool has_users(const UserRange& range);

class AppUsers {
  public:
    // Both outlive it.
    AppUsers(Store& store, UserRange range);

    // "70003", the same for as long as the project is there. `purpose`: "app", or "verify" for the
    // server of a verification. Safe on all threads; asks the database the first time. Throws
    // std::runtime_error where the range is used up.
    std::string of(const std::string& project, const std::string& purpose);
    std::string standby() const { return std::to_string(range_.first); }
    // Frees the numbers of a project of which nothing is left.
    void forget(const std::string& project);

  private:
    Store& store_;
    const UserRange range_;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::string> known_;
};

}  // namespace svc::devapi
