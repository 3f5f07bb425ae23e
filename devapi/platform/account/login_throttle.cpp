#include "platform/account/login_throttle.hpp"

#include <algorithm>

#include "http/request/proxy.hpp"

namespace svc::devapi {
namespace {

constexpr auto kWindow = std::chrono::minutes(15);
constexpr std::size_t kRemembered = 10000;  // beyond, old ones are looked for at each failure

std::string pair_of(const std::string& account, const std::string& network) {
    return account + '\n' + network;
}

std::string everywhere(const std::string& account) { return pair_of(account, "*"); }

}  // namespace

int LoginThrottle::take(const std::string& account, const std::string& address,
                        Clock::time_point now) {
    const std::string network = http::counted_network(address);
    return take({{pair_of(account, network), limits_.account_there},
                 {network, limits_.network},
                 {everywhere(account), limits_.account}},
                now);
}

int LoginThrottle::take_of_links(const std::string& kind, const std::string& address,
                                 Clock::time_point now) {
    const std::string network = http::counted_network(address);
    return take({{pair_of(kind, network), limits_.account_there}, {network, limits_.network}}, now);
}

int LoginThrottle::take(const std::vector<Count>& counts, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    int wait = 0;
    for (const Count& count : counts) wait = std::max(wait, left(count, now));
    if (wait > 0) return wait;
    if (failures_.size() >= kRemembered) forget_old(now);
    for (const Count& count : counts) failures_[count.name].push_back(now);
    return 0;
}

int LoginThrottle::left(const Count& count, Clock::time_point now) {
    const auto found = failures_.find(count.name);
    if (found == failures_.end()) return 0;
    auto& times = found->second;
    while (!times.empty() && times.front() + kWindow <= now) times.pop_front();
    if (times.size() < count.most) return 0;
    const auto left = times.front() + kWindow - now;
    return static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(left).count()) + 1;
}

void LoginThrottle::succeeded(const std::string& account, const std::string& address) {
    const std::lock_guard lock(mutex_);
    const std::string network = http::counted_network(address);
    failures_.erase(pair_of(account, network));
    uncount(network);
    uncount(everywhere(account));
}

void LoginThrottle::give_back(const std::string& account, const std::string& address) {
    const std::lock_guard lock(mutex_);
    const std::string network = http::counted_network(address);
    uncount(pair_of(account, network));
    uncount(network);
    uncount(everywhere(account));
}

// The newest: which of several at once it was makes no difference.
void LoginThrottle::uncount(const std::string& name) {
    const auto found = failures_.find(name);
    if (found == failures_.end()) return;
    if (!found->second.empty()) found->second.pop_back();
    if (found->second.empty()) failures_.erase(found);
}

void LoginThrottle::forget_old(Clock::time_point now) {
    std::erase_if(failures_, [&](const auto& entry) {
        return entry.second.empty() || entry.second.back() + kWindow <= now;
    });
}

}  // namespace svc::devapi
