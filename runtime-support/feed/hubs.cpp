#include "feed/hubs.hpp"

#include <algorithm>

namespace svc::feed {

void Hubs::start(asio::io_context& io, db::Pool& system, const Judge& judge,
                 const std::string& epoch, const std::function<void()>& replaced) {
    // Both find it out on the thread of `io`.
    const auto once = [left = std::make_shared<std::function<void()>>(replaced)] {
        if (const auto call = std::exchange(*left, {})) call();
    };
    for (Hub* hub : {&at_once_, &asked_}) hub->start(io, system, judge, epoch, once);
    bell_.listen([this] {
        for (Hub* hub : {&at_once_, &asked_}) hub->ring();
    });
}

Hubs::Ticket Hubs::enter(bool asked, const std::string& key, std::size_t most) {
    {
        const std::lock_guard lock(mutex_);
        std::size_t& count = of_keys_[key];
        if (most > 0 && count >= most) return nullptr;
        ++count;
    }
    of(asked).enter();
    return {this, [asked, key](void* hubs) { static_cast<Hubs*>(hubs)->leave(asked, key); }};
}

void Hubs::leave(bool asked, const std::string& key) {
    of(asked).leave();
    const std::lock_guard lock(mutex_);
    if (--of_keys_[key] == 0) of_keys_.erase(key);
}

std::int64_t Hubs::read_at() const {
    const std::int64_t at_once = at_once_.read_at(), asked = asked_.read_at();
    if (at_once == 0 || asked == 0) return std::max(at_once, asked);
    return std::min(at_once, asked);
}

}  // namespace svc::feed
