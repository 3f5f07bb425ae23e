// What is known of each project's app, for any thread to read and write.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "apps/apps.hpp"

namespace svc::devapi {

class Board {
  public:
    AppState get(const std::string& project) const {
        std::lock_guard lock(mutex_);
        const auto found = states_.find(project);
        return found == states_.end() ? AppState{} : found->second;
    }

    template <class Change>
    void change(const std::string& project, Change change) {
        std::lock_guard lock(mutex_);
        change(states_[project]);
    }

    void forget(const std::string& project) {
        std::lock_guard lock(mutex_);
        states_.erase(project);
    }

  private:
    mutable std::mutex mutex_;
    std::map<std::string, AppState> states_;
};

}  // namespace svc::devapi
