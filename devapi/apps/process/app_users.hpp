// Unix users of app servers, where svcd is root: each project's run as one of their own, so that a
// fault in one app opens nothing of another. Numbers of a range that the operator sets; no entry of
// /etc/passwd is needed. The first is the standby's, who may connect to all of them.
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
// This process may become every one of them: a container may have fewer users than the machine.
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
    // Nothing of the project is left: its numbers may be another's.
    void forget(const std::string& project);

  private:
    Store& store_;
    const UserRange range_;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::string> known_;
};

}  // namespace svc::devapi
