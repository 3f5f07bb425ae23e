// Who may hold the workers of long calls: so many of one workspace at a time, and so many of one
// account in all its workspaces. Who waits is served where the fewest run, the earliest first.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <string>

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
    // Whose call it is. Either may be the other where only one is known.
    struct Owner {
        std::string workspace, account;
    };

    explicit LongCalls(Sizes sizes) : sizes_(sizes) {}

    // On the io thread, like all of it. False: there was no place in time. True: leave() follows.
    Task<bool> enter(Owner owner);
    void leave(const Owner& owner);

  private:
    struct Waiter {
        const Owner* owner;
        asio::steady_timer bell;
        bool entered = false;
    };
    using Waiters = std::list<Waiter*>;

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
};

}  // namespace svc::devapi
