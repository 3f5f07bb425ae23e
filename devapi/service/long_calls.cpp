#include "service/long_calls.hpp"

#include <algorithm>
#include <boost/asio.hpp>

namespace svc::devapi {
namespace {

std::string workspace_key(const LongCalls::Owner& owner) { return "workspace " + owner.workspace; }
std::string account_key(const LongCalls::Owner& owner) { return "account " + owner.account; }

std::size_t counted(const std::map<std::string, std::size_t>& inside, const std::string& key) {
    const auto found = inside.find(key);
    return found == inside.end() ? 0 : found->second;
}

}  // namespace

std::size_t LongCalls::inside(const Owner& owner) const {
    return std::max(counted(inside_, workspace_key(owner)), counted(inside_, account_key(owner)));
}

bool LongCalls::has_room(const Owner& owner) const {
    return all_ < sizes_.together && inside(owner) < sizes_.of_one;
}

std::size_t LongCalls::waiting(const std::string& workspace) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        waiters_, [&](const Waiter* waiter) { return waiter->owner->workspace == workspace; }));
}

void LongCalls::take(const Owner& owner) {
    ++all_;
    ++inside_[workspace_key(owner)];
    ++inside_[account_key(owner)];
}

// A waiting call is in the queue while this object lives.
class LongCalls::WaiterEntry {
  public:
    WaiterEntry(LongCalls& calls, Waiter& self) : calls_(calls), alive_(calls.alive_), self_(self) {
        calls.waiters_.push_back(&self);
    }
    ~WaiterEntry() {
        if (!alive_.expired() && !self_.entered) calls_.waiters_.remove(&self_);
    }
    WaiterEntry(const WaiterEntry&) = delete;
    WaiterEntry& operator=(const WaiterEntry&) = delete;

  private:
    LongCalls& calls_;
    const std::weak_ptr<void> alive_;
    Waiter& self_;
};

Task<bool> LongCalls::enter(Owner owner) {
    // A released slot goes to a waiting call at once, so no waiting call is overtaken here.
    if (has_room(owner)) {
        take(owner);
        co_return true;
    }
    if (waiting(owner.workspace) >= sizes_.waiting) co_return false;
    const auto executor = co_await asio::this_coro::executor;
    Waiter self{&owner, asio::steady_timer(executor, sizes_.patience)};
    const WaiterEntry entry(*this, self);
    boost::system::error_code woken;
    co_await self.timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    co_return self.entered;
}

void LongCalls::leave(const Owner& owner) {
    --all_;
    for (const std::string& key : {workspace_key(owner), account_key(owner)}) {
        if (--inside_[key] == 0) inside_.erase(key);
    }
    let_in();
}

LongCalls::Waiters::iterator LongCalls::next() {
    auto best = waiters_.end();
    for (auto at = waiters_.begin(); at != waiters_.end(); ++at) {
        if (!has_room(*(*at)->owner)) continue;
        if (best == waiters_.end() || inside(*(*at)->owner) < inside(*(*best)->owner)) best = at;
    }
    return best;
}

void LongCalls::let_in() {
    for (auto at = next(); at != waiters_.end(); at = next()) {
        Waiter* waiter = *at;
        waiters_.erase(at);
        take(*waiter->owner);
        waiter->entered = true;
        waiter->timer.cancel();
    }
}

}  // namespace svc::devapi
