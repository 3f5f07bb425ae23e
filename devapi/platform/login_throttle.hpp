// Failed sign-ins: after ten within 15 minutes an account must wait at that network, and after
// fifty every account there: who tries one password on many accounts meets the second.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace svc::devapi {

class LoginThrottle {
  public:
    using Clock = std::chrono::steady_clock;

    // Seconds to wait; 0: may try.
    int wait(const std::string& account, const std::string& address,
             Clock::time_point now = Clock::now());
    void failed(const std::string& account, const std::string& address,
                Clock::time_point now = Clock::now());
    void succeeded(const std::string& account, const std::string& address);

  private:
    int left(const std::string& name, std::size_t most, Clock::time_point now);
    void note(const std::string& name, std::size_t most, Clock::time_point now);
    void forget_old(Clock::time_point now);

    std::mutex mutex_;
    // By account and network together, and by network.
    std::map<std::string, std::deque<Clock::time_point>> failures_;
};

}  // namespace svc::devapi
