#include "feed/recent_place.hpp"

#include <utility>

namespace svc::feed {

// A commit may end while the position is read. So its number is taken before.
Task<std::string> RecentPlace::cursor(Clock::time_point now) {
    const std::uint64_t commits = changes_.count();
    if (!cursor_.empty() && commits == commits_ && now - read_at_ < kKept) co_return cursor_;
    std::string fresh = co_await read_();
    cursor_ = fresh;
    commits_ = commits;
    read_at_ = now;
    co_return fresh;
}

}  // namespace svc::feed
