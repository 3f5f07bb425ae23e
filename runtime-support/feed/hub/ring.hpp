// The last events, for listeners that have not taken them yet. Its size in bytes is limited;
// listeners read older events from the database. One thread only.
#pragma once

#include <cstdint>
#include <deque>

#include "feed/event.hpp"

namespace svc::feed {

class Ring {
  public:
    explicit Ring(std::size_t most_bytes) : most_(most_bytes) {}

    void push(EventPtr event) {
        bytes_ += event->bytes();
        events_.push_back(std::move(event));
        while (bytes_ > most_ && !events_.empty()) drop();
    }
    // Removes all events. A listener that was at the end has then missed something.
    void forget() {
        begin_ = end() + 1;
        events_.clear();
        bytes_ = 0;
    }
    // Positions count up for as long as the process lives.
    std::uint64_t begin() const { return begin_; }
    std::uint64_t end() const { return begin_ + events_.size(); }
    const EventPtr& at(std::uint64_t position) const { return events_[position - begin_]; }
    std::size_t bytes() const { return bytes_; }

  private:
    void drop() {
        bytes_ -= events_.front()->bytes();
        events_.pop_front();
        ++begin_;
    }

    const std::size_t most_;
    std::deque<EventPtr> events_;
    std::size_t bytes_ = 0;
    std::uint64_t begin_ = 0;
};

}  // namespace svc::feed
