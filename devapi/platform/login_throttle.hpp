// Failed sign-ins: after ten within 15 minutes an account and address must wait.
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
    void forget_old(Clock::time_point now);

    std::mutex mutex_;
    std::map<std::string, std::deque<Clock::time_point>>
        failures_;  // by account and address together
};

}  // namespace svc::devapi
