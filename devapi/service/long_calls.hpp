// Limits the workers of long calls: a number for each workspace, and a number for each account in
// all its workspaces. The next call is the earliest one of the owner with the fewest running calls.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "http/task.hpp"

namespace svc::devapi {

class LongCalls {
  public:
    struct Sizes {
        std::size_t together = 12;
        std::size_t of_one = 4;
        std::size_t waiting = 16;  // of one workspace
        std::chrono::seconds patience{30};
    };
    // The workspace and the account of a call. If only one is known, it takes the place of the
    // other.
    struct Owner {
        std::string workspace, account;
    };

    explicit LongCalls(Sizes sizes) : sizes_(sizes) {}

    // On the io thread, like all of it. False: there was no slot in time. True: leave() follows,
    // by a Slot.
    Task<bool> enter(Owner owner);
    void leave(const Owner& owner);

    // Its destructor calls leave().
    class Slot {
      public:
        Slot(LongCalls& calls, Owner owner)
            : calls_(calls), alive_(calls.alive_), owner_(std::move(owner)) {}
        ~Slot() {
            if (!alive_.expired()) calls_.leave(owner_);
        }
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;

      private:
        LongCalls& calls_;
        const std::weak_ptr<void> alive_;
        const Owner owner_;
    };

  private:
    struct Waiter {
        const Owner* owner;
        asio::steady_timer timer;
        bool entered = false;
    };
    using Waiters = std::list<Waiter*>;
    class WaiterEntry;

    std::size_t inside(const Owner& owner) const;
    bool has_room(const Owner& owner) const;
    std::size_t waiting(const std::string& workspace) const;
    void take(const Owner& owner);
    Waiters::iterator next();
    void let_in();

    const Sizes sizes_;
    std::size_t all_ = 0;
    std::map<std::string, std::size_t> inside_;  // by "workspace …" and "account …"
    Waiters waiters_;                            // the earliest first
    // Coroutines that are destroyed with their executor outlive this.
    const std::shared_ptr<void> alive_ = std::make_shared<int>();
};

}  // namespace svc::devapi
