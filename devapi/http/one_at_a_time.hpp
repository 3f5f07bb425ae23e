// Names that somebody works on; a second one is told so instead of waiting.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace svc::devapi {

class OneAtATime {
  public:
    // Holds the name while it lives; false where somebody else holds it.
    class Hold {
      public:
        Hold(OneAtATime& names, std::string name) : names_(names), name_(std::move(name)) {
            const std::lock_guard lock(names_.mutex_);
            held_ = names_.names_.insert(name_).second;
        }
        ~Hold() {
            if (!held_) return;
            const std::lock_guard lock(names_.mutex_);
            names_.names_.erase(name_);
        }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        explicit operator bool() const { return held_; }

      private:
        OneAtATime& names_;
        std::string name_;
        bool held_ = false;
    };

  private:
    std::mutex mutex_;
    std::set<std::string> names_;
};

}  // namespace svc::devapi
