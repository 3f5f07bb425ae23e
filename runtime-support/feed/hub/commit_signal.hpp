// Tells readers of changes that this process has committed some, so that they need not wait for
// their next poll. One a process; from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace svc::feed {

class CommitSignal {
  public:
    // Call it after a commit. Cheap; listeners only note it.
    void notify() {
        const std::lock_guard lock(mutex_);
        if (listener_) listener_();
    }
    // Called by each notify() from now on, on its thread; empty: nobody. It may not call notify().
    void listen(std::function<void()> listener) {
        const std::lock_guard lock(mutex_);
        listener_ = std::move(listener);
    }

  private:
    std::mutex mutex_;
    std::function<void()> listener_;
};

}  // namespace svc::feed
