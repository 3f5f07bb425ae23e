#include "identity/budget.hpp"

namespace svc::identity {

unsigned Window::take(Clock::time_point now, unsigned limit) {
    if (limit == 0) return 0;
    if (over(now)) {
        start_ = now;
        count_ = 0;
    }
    if (count_ < limit) {
        ++count_;
        return 0;
    }
    return static_cast<unsigned>(
        std::chrono::ceil<std::chrono::seconds>(start_ + length_ - now).count());
}

Budget::Budget(unsigned browser, unsigned server)
    : browser_(browser, std::chrono::minutes(1)), server_(server, std::chrono::minutes(1)) {}

unsigned Budget::take(KeyKind kind, Clock::time_point now, std::optional<unsigned> limit) {
    const std::lock_guard lock(mutex_);
    Window& window = kind == KeyKind::server ? server_ : browser_;
    return limit ? window.take(now, *limit) : window.take(now);
}

Throttle::Throttle(unsigned limit, std::chrono::seconds length, std::size_t max_keys)
    : limit_(limit), length_(length), max_keys_(max_keys) {}

unsigned Throttle::take(const std::string& key, Clock::time_point now) {
    if (limit_ == 0) return 0;
    const std::lock_guard lock(mutex_);
    forget_old(now);
    auto found = windows_.find(key);
    if (found == windows_.end()) {
        while (windows_.size() >= max_keys_ && !order_.empty()) forget_oldest();
        found = windows_.try_emplace(key, limit_, length_).first;
        order_.emplace_back(now, key);
    }
    return found->second.take(now);
}

void Throttle::give_back(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = windows_.find(key);
    if (found != windows_.end()) found->second.give_back();
}

void Throttle::reset(const std::string& key) {
    const std::lock_guard lock(mutex_);
    windows_.erase(key);
}

std::size_t Throttle::size() const {
    const std::lock_guard lock(mutex_);
    return windows_.size();
}

void Throttle::forget_old(Clock::time_point now) {
    while (!order_.empty() && now >= order_.front().first + length_) forget_oldest();
}

void Throttle::forget_oldest() {
    const auto found = windows_.find(order_.front().second);
    if (found != windows_.end() && found->second.start() == order_.front().first)
        windows_.erase(found);
    order_.pop_front();
}

}  // namespace svc::identity
