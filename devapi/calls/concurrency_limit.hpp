// Limits how many long calls of one workspace run at a time, because all workspaces share the
// workers.
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace svc::devapi {

class ConcurrencyLimit {
  public:
    explicit ConcurrencyLimit(int most) : most_(most) {}

    // One slot, which its destructor releases. False: there was none.
    class Slot {
      public:
        Slot(ConcurrencyLimit& limit, std::string key)
            : limit_(limit), key_(std::move(key)), taken_(limit_.enter(key_)) {}
        ~Slot() {
            if (taken_) limit_.leave(key_);
        }
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        explicit operator bool() const { return taken_; }

      private:
        ConcurrencyLimit& limit_;
        const std::string key_;
        const bool taken_;
    };

  private:
    bool enter(const std::string& key) {
        const std::lock_guard lock(mutex_);
        int& inside = inside_[key];
        if (inside == most_) return false;
        ++inside;
        return true;
    }
    void leave(const std::string& key) {
        const std::lock_guard lock(mutex_);
        if (--inside_[key] == 0) inside_.erase(key);
    }

    const int most_;
    std::mutex mutex_;
    std::map<std::string, int> inside_;
};

}  // namespace svc::devapi
