#include "platform/login_throttle.hpp"

#include "http/proxy.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kFailures = 10;
constexpr auto kWindow = std::chrono::minutes(15);
constexpr std::size_t kRemembered = 10000;  // beyond, old ones are looked for at each failure

std::string name_of(const std::string& account, const std::string& address) {
    return account + '\n' + http::counted_network(address);
}

}  // namespace

int LoginThrottle::wait(const std::string& account, const std::string& address,
                        Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = failures_.find(name_of(account, address));
    if (found == failures_.end()) return 0;
    auto& times = found->second;
    while (!times.empty() && times.front() + kWindow <= now) times.pop_front();
    if (times.size() < kFailures) return 0;
    const auto left = times.front() + kWindow - now;
    return static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(left).count()) + 1;
}

void LoginThrottle::failed(const std::string& account, const std::string& address,
                           Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (failures_.size() >= kRemembered) forget_old(now);
    auto& times = failures_[name_of(account, address)];
    times.push_back(now);
    if (times.size() > kFailures) times.pop_front();
}

void LoginThrottle::succeeded(const std::string& account, const std::string& address) {
    const std::lock_guard lock(mutex_);
    failures_.erase(name_of(account, address));
}

void LoginThrottle::forget_old(Clock::time_point now) {
    std::erase_if(failures_,
                  [&](const auto& entry) { return entry.second.back() + kWindow <= now; });
}

}  // namespace svc::devapi
