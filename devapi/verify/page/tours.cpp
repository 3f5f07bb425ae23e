#include "verify/page/tours.hpp"

#include <algorithm>

namespace svc::devapi::verification {
namespace {

// The first page of a tour costs as much as two others; long tours are hard to share out to two.
constexpr std::size_t kMostPages = 16;

}  // namespace

Tours::Tours(std::vector<Inspection>& all) {
    for (Inspection& one : all) left_.push_back(&one);
}

Tours::Stage Tours::stage_of(const Inspection& one) const {
    const auto found = routes_.find(one.route);
    return found == routes_.end() ? Stage::unopened : found->second;
}

// A page is opened for the first time by one visitor, and later by several at a time.
Tours::Tour Tours::taken(Stage stage) {
    Tour out;
    for (Inspection* one : left_) {
        if (out.size() == kMostPages) break;
        const bool theirs = out.empty() || one->session == out[0]->session;
        if (!theirs || stage_of(*one) != stage) continue;
        if (stage == Stage::unopened) routes_[one->route] = Stage::open;
        out.push_back(one);
    }
    std::erase_if(left_, [&](const Inspection* one) { return std::ranges::count(out, one) > 0; });
    return out;
}

Tours::Tour Tours::next() {
    std::unique_lock lock(mutex_);
    for (;;) {
        Tour out = taken(Stage::unopened);
        if (out.empty()) out = taken(Stage::opened);
        if (!out.empty() || left_.empty()) return out;
        ended_.wait(lock);
    }
}

void Tours::end(const Tour& tour) {
    const std::lock_guard lock(mutex_);
    for (Inspection* one : tour) {
        const bool first = stage_of(*one) == Stage::open;
        if (one->was_tried()) {
            ++done_;
            routes_[one->route] = Stage::opened;
        } else {
            left_.push_back(one);
            if (first) routes_.erase(one->route);
        }
    }
    for (const Inspection* one : tour)
        if (one->is_late()) leave_out(one->route);
    ended_.notify_all();
}

void Tours::leave_out(const std::string& route) {
    done_ += std::erase_if(left_, [&](const Inspection* one) { return one->route == route; });
}

std::size_t Tours::done() const {
    const std::lock_guard lock(mutex_);
    return done_;
}

}  // namespace svc::devapi::verification
