// Tells readers of changes that this process has committed some, so that they need not wait for
// their next poll. One a process; from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace svc::feed {

class CommitSignal {
  public:
    // Call it after a commit. Cheap; listeners only note it.
    void notify() {
        ++count_;
        const std::lock_guard lock(mutex_);
        if (listener_) listener_();
    }
    // How many calls of notify() there were.
    std::uint64_t count() const { return count_; }
    // Called by each notify() from now on, on its thread; empty: nobody. It may not call notify().
    void listen(std::function<void()> listener) {
        const std::lock_guard lock(mutex_);
        listener_ = std::move(listener);
    }

  private:
    std::atomic<std::uint64_t> count_{0};
    std::mutex mutex_;
    std::function<void()> listener_;
};

}  // namespace svc::feed
