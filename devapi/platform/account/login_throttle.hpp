// Failed sign-ins within 15 minutes: after ten failures an account must wait at that network. After
// fifty failures every account must wait at that network, against one password tried on many
// accounts. After a hundred failures an account must wait everywhere, against attacks from many
// networks.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace svc::devapi {

// A try counts before its outcome is known, so that parallel tries cannot pass the limit: call
// take() first, and one of the others if it was not a wrong guess.
class LoginThrottle {
  public:
    using Clock = std::chrono::steady_clock;
    struct Limits {
        std::size_t account_there = 10;  // failures of one account at one network
        std::size_t network = 50;        // of all accounts there
        std::size_t account = 100;       // of one account wherever from
    };

    LoginThrottle() = default;
    explicit LoginThrottle(const Limits& limits) : limits_(limits) {}

    // Returns 0 if a try is allowed; it then counts as failed. Otherwise the seconds to wait, and
    // nothing was counted.
    int take(const std::string& account, const std::string& address,
             Clock::time_point now = Clock::now());
    // Counts tries of links and codes, which are guessed without an account, by network alone.
    int take_of_links(const std::string& kind, const std::string& address,
                      Clock::time_point now = Clock::now());
    // The try was right: it counts nowhere, and the account's failures at that network are over.
    void succeeded(const std::string& account, const std::string& address);
    // The try was not a guess, so it does not count.
    void give_back(const std::string& account, const std::string& address);

  private:
    struct Count {
        std::string name;
        std::size_t most;
    };

    int take(const std::vector<Count>& counts, Clock::time_point now);
    int left(const Count& count, Clock::time_point now);
    void uncount(const std::string& name);
    void forget_old(Clock::time_point now);

    std::mutex mutex_;
    const Limits limits_ = {};
    // Failures by account and network together, by network, and by account.
    std::map<std::string, std::deque<Clock::time_point>> failures_;
};

}  // namespace svc::devapi
