// Failed sign-ins, which owners and admins read in the audit of each workspace of the account. A
// separate thread writes them, so the time of an answer does not show whether the account exists.
// Their number is limited, because anybody can fail.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "identity/budget.hpp"
#include "platform/audit.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

class SignInNotes {
  public:
    explicit SignInNotes(Store& store);
    ~SignInNotes();  // writes what waits
    SignInNotes(const SignInNotes&) = delete;
    SignInNotes& operator=(const SignInNotes&) = delete;

    // `action`: POST /session. `address`: the client's. At most 60 an hour and account; then one
    // more, which says so.
    void failed(std::string_view action, const std::string& email, const std::string& address);
    // Records a refusal for too many failures, at most once in 15 minutes for each account and
    // network.
    void locked_out(std::string_view action, const std::string& email, const std::string& address);

  private:
    void put(AuditEntry entry);
    void run();

    Store& store_;
    identity::Throttle accounts_{60, std::chrono::hours(1)};
    identity::Throttle ends_{1, std::chrono::hours(1)};
    identity::Throttle lock_outs_{1, std::chrono::minutes(15)};
    identity::Throttle networks_{50, std::chrono::minutes(15)};  // lock-outs that they meet
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<AuditEntry> waiting_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace svc::devapi
