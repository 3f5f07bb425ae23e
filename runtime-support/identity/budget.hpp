// Limits of events: fixed windows that begin with their first event. Each process counts
// separately.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "identity/caller.hpp"

namespace svc::identity {

using Clock = std::chrono::steady_clock;

// One counter. A limit of 0 means no limit.
class Window {
  public:
    Window(unsigned limit, std::chrono::seconds length) : limit_(limit), length_(length) {}

    // Counts one event. 0: within the limit; else the whole seconds until the window ends.
    unsigned take(Clock::time_point now) { return take(now, limit_); }
    // The same with another limit.
    unsigned take(Clock::time_point now, unsigned limit);
    void give_back() { count_ -= count_ > 0; }
    Clock::time_point start() const { return start_; }

  private:
    bool over(Clock::time_point now) const { return now >= start_ + length_; }

    unsigned limit_;
    std::chrono::seconds length_;
    Clock::time_point start_ = Clock::time_point::min() + std::chrono::hours(24);
    unsigned count_ = 0;
};

// The requests a minute of a project: one count for browser keys and preview tokens, one for
// servers.
class Budget {
  public:
    Budget(unsigned browser, unsigned server);
    // As Window::take; `limit`: another one than that of the kind.
    unsigned take(KeyKind kind, Clock::time_point now = Clock::now(),
                  std::optional<unsigned> limit = {});

  private:
    std::mutex mutex_;
    Window browser_;
    Window server_;
};

// A window for each of many keys (an address, an account), at most `max_keys` at a time: the oldest
// windows are forgotten first.
class Throttle {
  public:
    Throttle(unsigned limit, std::chrono::seconds length, std::size_t max_keys = 100'000);
    // As Window::take.
    unsigned take(const std::string& key, Clock::time_point now = Clock::now());
    // Takes back one counted event.
    void give_back(const std::string& key);
    void reset(const std::string& key);
    std::size_t size() const;

  private:
    void forget_old(Clock::time_point now);
    void forget_oldest();

    const unsigned limit_;
    const std::chrono::seconds length_;
    const std::size_t max_keys_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Window> windows_;
    // Windows in the order they began. One that was reset leaves its entry, known by its start.
    std::deque<std::pair<Clock::time_point, std::string>> order_;
};

}  // namespace svc::identity
