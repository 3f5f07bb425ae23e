// Failed sign-ins: after ten within 15 minutes an account must wait at that network, and after
// fifty every account there: who tries one password on many accounts meets the second.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace svc::devapi {

// A try counts from before its outcome is known, so that many at once are no way around the limit:
// take() first, and one of the others where it was no wrong guess.
class LoginThrottle {
  public:
    using Clock = std::chrono::steady_clock;

    // 0: may try, and it counts as failed. Else the seconds to wait; then nothing was counted.
    int take(const std::string& account, const std::string& address,
             Clock::time_point now = Clock::now());
    // The try was right: it counts nowhere, and the account's failures at that network are over.
    void succeeded(const std::string& account, const std::string& address);
    // The try told nothing of what is guessed: it counts nowhere.
    void give_back(const std::string& account, const std::string& address);

  private:
    int left(const std::string& name, std::size_t most, Clock::time_point now);
    void uncount(const std::string& name);
    void forget_old(Clock::time_point now);

    std::mutex mutex_;
    // By account and network together, and by network.
    std::map<std::string, std::deque<Clock::time_point>> failures_;
};

}  // namespace svc::devapi
