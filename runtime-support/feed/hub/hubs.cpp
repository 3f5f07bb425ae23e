#include "feed/hub/hubs.hpp"

#include <algorithm>

namespace svc::feed {

void Hubs::start(asio::io_context& io, db::Pool& system, const Judge& judge,
                 const std::string& epoch, const std::function<void()>& replaced) {
    // All hubs call this on the thread of `io`.
    const auto once = [left = std::make_shared<std::function<void()>>(replaced)] {
        if (const auto call = std::exchange(*left, {})) call();
    };
    for (Hub* hub : {&at_once_, &asked_}) hub->start(io, system, judge, epoch, once);
    signal_.listen([this] {
        for (Hub* hub : {&at_once_, &asked_}) hub->notify();
    });
}

Hubs::Ticket Hubs::enter(bool asked, std::vector<Counted> counted, std::size_t& full) {
    {
        const std::lock_guard lock(mutex_);
        for (full = 0; full < counted.size(); ++full) {
            const auto known = streams_.find(counted[full].what);
            const std::size_t most = counted[full].most;
            if (most > 0 && known != streams_.end() && known->second >= most) return nullptr;
        }
        for (const Counted& one : counted) ++streams_[one.what];
    }
    of(asked).enter();
    return {this, [asked, counted = std::move(counted)](void* hubs) {
                static_cast<Hubs*>(hubs)->leave(asked, counted);
            }};
}

void Hubs::leave(bool asked, const std::vector<Counted>& counted) {
    of(asked).leave();
    const std::lock_guard lock(mutex_);
    for (const Counted& one : counted)
        if (--streams_[one.what] == 0) streams_.erase(one.what);
}

std::int64_t Hubs::read_at() const {
    const std::int64_t at_once = at_once_.read_at(), asked = asked_.read_at();
    if (at_once == 0 || asked == 0) return std::max(at_once, asked);
    return std::min(at_once, asked);
}

}  // namespace svc::feed
