// The state of each project's app in each environment. Any thread may read and write it.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "apps/apps.hpp"

namespace svc::devapi {

class AppStates {
  public:
    AppState get(const std::string& project, Env env = Env::dev) const {
        std::lock_guard lock(mutex_);
        const auto found = states_.find(AppId(project, env));
        return found == states_.end() ? AppState{} : found->second;
    }

    template <class Change>
    void change(const AppId& app, Change change) {
        std::lock_guard lock(mutex_);
        change(states_[app]);
    }
    template <class Change>
    void change(const std::string& project, Change change) {
        this->change(AppId(project, Env::dev), std::move(change));
    }

    void forget(const AppId& app) {
        std::lock_guard lock(mutex_);
        states_.erase(app);
    }
    void forget(const std::string& project) {
        std::lock_guard lock(mutex_);
        std::erase_if(states_, [&](const auto& entry) { return entry.first.first == project; });
    }

  private:
    mutable std::mutex mutex_;
    std::map<AppId, AppState> states_;
};

}  // namespace svc::devapi
