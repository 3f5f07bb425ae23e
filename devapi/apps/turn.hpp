// One change of a project's app at a time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

namespace svc::devapi {

// Projects of which an app is being changed.
class Busy {
  public:
    bool take(const std::string& project) {
        std::lock_guard lock(mutex_);
        return projects_.insert(project).second;
    }
    void wait_and_take(const std::string& project) {
        std::unique_lock lock(mutex_);
        left_.wait(lock, [&] { return projects_.insert(project).second; });
    }
    void leave(const std::string& project) {
        std::lock_guard lock(mutex_);
        projects_.erase(project);
        left_.notify_all();
    }
    bool has(const std::string& project) const {
        std::lock_guard lock(mutex_);
        return projects_.contains(project);
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable left_;
    std::set<std::string> projects_;
};

// The right to change a project's app, given back at its end. Not taken where another has it and
// `wait` is false.
class Turn {
  public:
    Turn(Busy& busy, const std::string& project, bool wait = false)
        : busy_(busy), project_(project) {
        if (wait) busy_.wait_and_take(project_);
        taken_ = wait || busy_.take(project_);
    }
    ~Turn() {
        if (taken_) busy_.leave(project_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    bool taken() const { return taken_; }

  private:
    Busy& busy_;
    const std::string project_;
    bool taken_ = false;
};

}  // namespace svc::devapi
